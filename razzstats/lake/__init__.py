"""Archives too long for one machine: hands are read by a cluster, into a lake."""
