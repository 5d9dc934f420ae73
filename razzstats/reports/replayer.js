"use strict";
(() => {
  const source = document.getElementById("replays");
  if (!source) return;
  const hands = JSON.parse(source.textContent);
  const SUITS = { c: "\u2663", d: "\u2666", h: "\u2665", s: "\u2660" };
  const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
  const WIDE = 640; // pixels that a round table needs; a narrower one has its seats in two columns
  const replayers = new Map();

  function make(name, className, words) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (words !== undefined) made.textContent = words;
    return made;
  }

  // ---- cards

  const split = (cards) => cards.match(/../g) ?? [];

  function cardName(card) {
    if (card === "xx") return "unknown card";
    return `${card[0] === "T" ? "10" : card[0]} of ${SUIT_NAMES[card[1]]}`;
  }

  function drawCard(card) {
    if (card === "xx") return make("span", "card back", "");
    return make("span", `card suit-${card[1]}`, card[0] + SUITS[card[1]]);
  }

  function drawCards(cards) {
    const row = make("span", "cards");
    row.setAttribute("role", "img");
    row.setAttribute("aria-label", split(cards).map(cardName).join(", ") || "no cards");
    row.append(...split(cards).map(drawCard));
    return row;
  }

  // ---- a hand

  // Each step holds what changed with it.
  function statesOf(hand) {
    const states = [];
    for (const step of hand.steps) states.push({ ...states.at(-1), ...step });
    return states;
  }

  class Replayer {
    constructor(place, hand) {
      this.hand = hand;
      this.states = statesOf(hand);
      this.index = Math.max(0, this.states.findIndex((state) => state.seat === null));
      this.all = false;
      this.story = [...place.parentElement.querySelectorAll(".story > li")];
      place.setAttribute("role", "group");
      place.setAttribute("aria-label", `Replay of ${hand.title}; arrow keys step`);
      place.tabIndex = 0;
      this.table = make("div", "table");
      this.table.classList.toggle("small", Object.keys(hand.players).length <= 5);
      this.now = make("div", "now");
      this.now.setAttribute("aria-live", "polite");
      this.above = make("div");
      place.append(this.above, this.table, this.now, this.controls());
      place.addEventListener("keydown", (event) => this.key(event));
      this.story.forEach((line, index) => line.addEventListener("click", () => this.go(index)));
      new ResizeObserver(() => this.draw()).observe(place);
      this.draw();
    }

    controls() {
      const row = make("div", "controls");
      const button = (words, label, target) => {
        const made = make("button", "", words);
        made.type = "button";
        made.setAttribute("aria-label", label);
        made.addEventListener("click", () => this.go(target()));
        return made;
      };
      this.slider = make("input");
      Object.assign(this.slider, { type: "range", min: 0, max: this.states.length - 1 });
      this.slider.setAttribute("aria-label", "Step");
      this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
      const choice = make("label", "choice");
      const box = make("input");
      box.type = "checkbox";
      box.addEventListener("change", () => {
        this.all = box.checked;
        this.draw();
      });
      choice.append(box, " All cards that are known");
      this.count = make("span", "count");
      row.append(
        button("\u00ab", "First step", () => 0),
        button("\u2039", "Step back", () => this.index - 1),
        button("\u203a", "Step on", () => this.index + 1),
        button("\u00bb", "Last step", () => this.states.length - 1),
        this.slider, this.count, choice,
      );
      return row;
    }

    key(event) {
      const targets = {
        ArrowLeft: this.index - 1, ArrowRight: this.index + 1, Home: 0, End: this.states.length - 1,
      };
      if (!Object.hasOwn(targets, event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.go(targets[event.key]);
    }

    go(index) {
      this.index = Math.min(Math.max(index, 0), this.states.length - 1);
      this.draw();
    }

    // ---- what is drawn

    draw() {
      const state = this.states[this.index];
      const wide = this.table.clientWidth >= WIDE;
      this.table.classList.toggle("wide", wide);
      const seats = Object.keys(this.hand.players).map(Number);
      const middle = this.middle(state);
      this.table.replaceChildren(...(wide ? [middle] : []));
      this.above.replaceChildren(...(wide ? [] : [middle]));
      for (const seat of seats) this.seat(state, seat, wide);
      this.tell(state);
      this.slider.value = this.index;
      this.slider.setAttribute("aria-valuetext", state.words);
      this.count.textContent = `${this.index + 1} of ${this.states.length}`;
      this.story.forEach((line, index) => {
        if (index === this.index) line.setAttribute("aria-current", "step");
        else line.removeAttribute("aria-current");
      });
    }

    middle(state) {
      const box = make("div", "middle");
      box.append(make("b", "street", state.street), make("span", "pot", `Pot ${state.pot}`));
      if (state.pots) box.append(make("span", "pots", state.pots));
      if (state.dead) {
        const dead = make("span", "dead", "Dead ");
        dead.append(drawCards(state.dead));
        box.append(dead);
      }
      const shares = this.shares(state);
      if (shares) box.append(make("small", "", this.basis(shares)));
      return box;
    }

    shares(state) {
      return this.all ? state.held : state.seen;
    }

    basis(shares) {
      const cards = this.all ? "the cards held" : "what was seen";
      const unknown = shares.whole ? "" : ", others any cards";
      return `Equity by ${cards}${unknown}: ${shares.exact ? "exact" : "sampled"}`;
    }

    cards(state, seat) {
      const seen = state.cards[seat];
      return this.all ? this.hand.players[seat].cards.slice(0, seen.length) : seen;
    }

    seat(state, seat, wide) {
      const box = make("div", "seat");
      const folded = state.folded.includes(seat);
      box.classList.toggle("folded", folded);
      box.classList.toggle("acting", state.seat === seat);
      const who = make("div", "who");
      who.append(make("bdi", "name", this.hand.players[seat].name));
      who.append(make("span", "stack", state.stacks[seat]));
      box.append(drawCards(this.cards(state, seat)), who);
      const share = this.shares(state)?.by[seat];
      if (share && !folded) box.append(this.bar(share));
      const bet = state.bets[seat];
      const does = state.seat === seat ? state.words : folded ? "folded" : "";
      if (does) box.append(make("div", "does", does));
      const spot = this.spot(seat, wide, 1);
      Object.assign(box.style, { left: `${spot.x}%`, top: `${spot.y}%`, order: spot.order });
      this.table.append(box);
      if (!bet) return;
      const chips = make("div", "bet", bet);
      if (wide) {
        const near = this.spot(seat, true, 0.56);
        Object.assign(chips.style, { left: `${near.x}%`, top: `${near.y}%` });
        this.table.append(chips);
      } else box.append(chips);
    }

    bar([words, part]) {
      const share = make("div", "share", words);
      const track = make("span", "part");
      const fill = make("span");
      fill.style.width = `${100 * part}%`;
      track.append(fill);
      share.append(track);
      return share;
    }

    // Where a seat is, in per cent of the table: the hero's at the bottom, the others clockwise.
    spot(seat, wide, reach) {
      const { places, hero } = this.hand;
      const bottom = hero ?? Math.min(...Object.keys(this.hand.players).map(Number));
      const turn = ((seat - bottom + places) % places) / places;
      const [across, down] = [-Math.sin(2 * Math.PI * turn), Math.cos(2 * Math.PI * turn)];
      if (wide) return { x: 50 + 38 * reach * across, y: 50 + 39 * reach * down };
      return { x: 0, y: 0, order: Math.round(8 * turn) }; // the grid of the stylesheet places it
    }

    tell(state) {
      const line = make("p");
      if (state.seat !== null) {
        line.append(make("bdi", "", this.hand.players[state.seat].name), " ");
      }
      line.append(state.words + (state.price ? ` (${state.price})` : ""));
      const marks = state.marks.map((mark) => {
        const made = make("p", "mark", mark.words);
        made.append(make("small", "", mark.advice));
        return made;
      });
      this.now.replaceChildren(line, ...marks);
    }
  }

  // ---- the page

  function start(details) {
    const place = details.querySelector(".replayer");
    if (!details.open || replayers.has(details.id) || !Object.hasOwn(hands, details.id)) return;
    replayers.set(details.id, new Replayer(place, hands[details.id]));
  }

  function openLinked() {
    const target = document.getElementById(location.hash.slice(1)); // anchors are plain letters
    if (!target?.matches("details.hand")) return;
    target.open = true;
    start(target);
    target.scrollIntoView();
  }

  const all = document.querySelectorAll("details.hand");
  for (const details of all) {
    details.addEventListener("toggle", () => start(details));
    start(details);
  }
  addEventListener("hashchange", openLinked);
  openLinked();
  if (all.length === 1) {
    document.body.addEventListener("keydown", (event) => {
      if (event.target === document.body) replayers.get(all[0].id)?.key(event);
    });
  }
})();
