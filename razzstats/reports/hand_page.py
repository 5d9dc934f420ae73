"""One hand as a page with a table to step through."""

from razzstats.reports import shell
from razzstats.reports.hand_words import HandWords
from razzstats.reports.markup import tag, text
from razzstats.reports.replayer import replay_data, replayer
from razzstats.reports.told import ToldHand


def render_hand(told: ToldHand, remarks: tuple[str, ...] = ()) -> str:
    """Return the page; ``remarks`` are what the checks say of the hand."""
    words = HandWords(told.hand)
    found = [tag("li", text(remark)) for remark in remarks]
    checks = (
        tag("ul", *found)
        if found
        else tag("p", text("The hand passed all checks without a remark."))
    )
    main = tag(
        "main",
        tag("section", replayer(told, is_open=True), aria_label="Replay"),
        tag("section", tag("h2", text("Diagnostics")), checks),
    )
    return shell.render(
        title=f"{words.title}: Razz hand",
        body=shell.page(
            shell.header("Razz hand", words.title, f"{words.game}; {words.played}"),
            main,
            shell.footer(),
        ),
        styles=("page.css", "replayer.css"),
        scripts=("replayer.js",),
        data={"replays": replay_data([told])},
    )
