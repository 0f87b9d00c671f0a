"""The loop of Abyss by hand: explore, ask the Council, recruit, take locations, until the last turns are over.

The same atomic decisions as content/abyss has without the powers of lords and tiles; tests/games/test_lockstep.py plays
both side by side. Plain Python without tricks, like the other games of handwritten.py.
"""

from __future__ import annotations

from itertools import combinations

from .handwritten import Rand, shuffle

RACES = 5
COPIES = {1: 4, 2: 3, 3: 3, 4: 2, 5: 1}
MONSTER = 0
MONSTERS = 6
NOBODY = -1
DONE = -1
ROW = 5
COURT = 6
TILES = 20
NO_RACE = -1

# mandatory race, number of races, strength, key; squid 0, shellfish 1, crab 2, seahorse 3, jellyfish 4
LORDS = [
    (2, 2, 10, 1), (2, 3, 6, 0), (2, 2, 7, 0), (2, 1, 10, 0), (2, 1, 8, 1), (2, 3, 6, 1), (2, 2, 8, 0),
    (1, 3, 6, 1), (1, 3, 10, 0), (1, 1, 8, 0), (1, 2, 10, 1), (1, 1, 8, 1), (1, 3, 6, 0),
    (4, 3, 6, 1), (4, 1, 8, 0), (4, 3, 6, 0), (4, 2, 8, 1), (4, 1, 7, 1), (4, 1, 10, 0), (4, 3, 10, 1),
    (0, 3, 6, 1), (0, 1, 10, 0), (0, 3, 12, 0), (0, 1, 8, 1), (0, 2, 10, 1), (0, 3, 8, 0),
    (3, 3, 6, 1), (3, 2, 7, 1), (3, 1, 8, 1), (3, 2, 8, 0), (3, 3, 9, 0), (3, 1, 10, 0),
    (NO_RACE, 5, 10, 0), (NO_RACE, 5, 10, 0), (NO_RACE, 5, 10, 0),
]  # fmt: skip

(ASK_ACTION, ASK_BUY, ASK_ALLY, ASK_MONSTER, ASK_STACK, ASK_LORD, ASK_RACE, ASK_CARD, ASK_FOLLOWER, ASK_ONE_SPOIL,
 ASK_TWO_SPOILS, ASK_BACKER, ASK_CLAIM, ASK_NUMBER, ASK_TILE) = range(15)  # fmt: skip
PLOT, EXPLORE, CONSULT, RECRUIT = range(4)
YES, NO = 0, 1
OPEN, NEW = 0, 1


def ally(race: int, strength: int) -> int:
    return race * 10 + strength


class Abyss:
    """An action is a yes or no, an entry of a list, a card, a race, a lord or a tile: as ``ask`` says."""

    def __init__(self, rand: Rand, players: int = 3) -> None:
        self.rand = rand
        self.players = players
        self.deck = [ally(race, n) for race in range(RACES) for n, copies in COPIES.items() for _ in range(copies)]
        self.deck += [MONSTER] * MONSTERS
        shuffle(self.deck, rand)
        self.row: list[int] = []
        self.discard: list[int] = []
        self.council: list[list[int]] = [[] for _ in range(RACES)]
        self.lords = list(range(len(LORDS)))
        shuffle(self.lords, rand)
        self.court = [self.lords.pop() for _ in range(COURT)]
        self.tiles = list(range(TILES))
        shuffle(self.tiles, rand)
        self.open = [self.tiles.pop()]
        self.surveyed: list[int] = []
        self.tokens = 20
        self.keys = 10
        self.threat = 1
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.retinues: list[list[int]] = [[] for _ in range(players)]
        self.free: list[list[int]] = [[] for _ in range(players)]
        self.tucked: list[list[int]] = [[] for _ in range(players)]
        self.held: list[list[int]] = [[] for _ in range(players)]
        self.pearls = [1] * players
        self.trophies = [0] * players
        self.rings = [0] * players
        self.turn = int(rand() * players)  # whose turn it is
        self.seat = self.turn  # who is asked
        self.price = 1
        self.served: list[int] = []
        self.offered: list[int] = []  # who is still to be asked whether they buy
        self.lord = 0
        self.called: list[int] = []
        self.wanted = 0
        self.paid: list[int] = []
        self.backers: list[int] = []
        self.recruited = False
        self.finisher = NOBODY
        self.done = False
        self.ask = ASK_ACTION
        self.begin_turn()

    # ------------------------------------------------------------ what is offered

    def legal(self) -> list[int]:
        ask = self.ask
        if ask == ASK_ACTION:
            return self.actions()
        if ask == ASK_CARD:
            return self.cards()
        if ask in (ASK_ALLY, ASK_MONSTER):
            return [YES] if len(self.row) >= ROW or not (self.deck or self.discard) else [YES, NO]
        if ask == ASK_STACK:
            return [race for race in range(RACES) if self.council[race]]
        if ask == ASK_LORD:
            musters = self.musters()
            return [lord for lord in self.court if self.affordable(lord, musters)]
        if ask == ASK_RACE:
            return self.helpers()
        if ask == ASK_FOLLOWER:
            weakest = min(card % 10 for card in self.paid)
            return sorted({card for card in self.paid if card % 10 == weakest})
        if ask == ASK_TWO_SPOILS:
            return [0, 1, 2][: 1 + min(2, self.tokens)]
        if ask == ASK_ONE_SPOIL:
            return [0, 1][: 1 + min(1, self.tokens)]
        if ask == ASK_BACKER:
            lords = self.more_backers()
            return [*lords, DONE] if len(self.backers) + self.rings[self.turn] >= 3 else lords
        if ask == ASK_CLAIM:
            return [OPEN] * bool(self.open) + [NEW] * bool(self.tiles)
        if ask == ASK_NUMBER:
            return list(range(1, min(4, len(self.tiles)) + 1))
        if ask == ASK_TILE:
            return self.surveyed or self.open
        return [YES, NO]

    def actions(self) -> list[int]:
        found = []
        if self.pearls[self.turn] >= 1 and len(self.court) < COURT and self.lords:
            found.append(PLOT)
        if self.deck or self.discard:
            found.append(EXPLORE)
        if any(self.council):
            found.append(CONSULT)
        musters = self.musters()
        if any(self.affordable(lord, musters) for lord in self.court):
            found.append(RECRUIT)
        return found

    def musters(self) -> list[int]:
        """What each race of the hand brings."""
        found = [0] * RACES
        for card in self.hands[self.turn]:
            found[card // 10] += card % 10
        return found

    def affordable(self, lord: int, musters: list[int]) -> bool:
        mandatory, races, strength, _ = LORDS[lord]
        if sum(muster > 0 for muster in musters) < races:
            return False
        sums = sorted(musters, reverse=True)
        if mandatory == NO_RACE:
            best = sum(sums[:races])
        elif musters[mandatory] == 0:
            return False
        else:
            others = sorted((musters[race] for race in range(RACES) if race != mandatory), reverse=True)
            best = musters[mandatory] + sum(others[: races - 1])
        return best + self.pearls[self.turn] >= strength

    def helpers(self) -> list[int]:
        """Races that can still be part of a payment which is strong enough."""
        musters = self.musters()
        need = LORDS[self.lord][2] - self.pearls[self.turn] - sum(musters[race] for race in self.called)
        spare = [race for race in range(RACES) if musters[race] and race not in self.called]
        found = []
        for race in spare:
            rest = [musters[other] for other in spare if other != race]
            if any(musters[race] + sum(more) >= need for more in combinations(rest, self.wanted - 1)):
                found.append(race)
        return found

    def cards(self) -> list[int]:
        left = list(self.hands[self.turn])
        for card in self.paid:
            left.remove(card)
        found = sorted({card for card in left if card // 10 in self.called})
        return [*found, DONE] if self.enough() else found

    def enough(self) -> bool:
        _, races, strength, _ = LORDS[self.lord]
        if len({card // 10 for card in self.paid}) != races:
            return False
        return sum(card % 10 for card in self.paid) + self.pearls[self.turn] >= strength

    # ------------------------------------------------------------ what is done

    def apply(self, action: int) -> None:
        ask = self.ask
        if ask == ASK_ACTION:
            self.act(action)
        elif ask == ASK_BUY:
            self.answer(action)
        elif ask == ASK_ALLY:
            self.decide(action)
        elif ask == ASK_MONSTER:
            self.meet(action)
        elif ask == ASK_STACK:
            self.hands[self.turn] += self.council[action]
            self.council[action] = []
            self.end_turn()
        elif ask == ASK_LORD:
            self.choose_lord(action)
        elif ask == ASK_RACE:
            self.called.append(action)
            self.wanted -= 1
            if not self.wanted:
                self.ask = ASK_CARD
        elif ask == ASK_CARD:
            if action != DONE:
                self.paid.append(action)
            if action == DONE or len(self.paid) == len(self.hands[self.turn]):
                self.pay()
        elif ask == ASK_FOLLOWER:
            self.hire(action)
        elif ask in (ASK_ONE_SPOIL, ASK_TWO_SPOILS):
            tokens = action
            self.tokens -= tokens
            self.trophies[self.turn] += tokens
            self.pearls[self.turn] += (1 if ask == ASK_ONE_SPOIL else 2) - tokens
            self.threat = 1
            self.end_exploration()
        elif ask == ASK_BACKER:
            if action != DONE:
                self.backers.append(action)
            if action == DONE or len(self.backers) == 3 or not self.more_backers():
                self.back()
        elif ask == ASK_CLAIM:
            self.ask = ASK_TILE if action == OPEN else ASK_NUMBER
        elif ask == ASK_NUMBER:
            self.surveyed = [self.tiles.pop() for _ in range(action)]
            if action == 1:
                self.take_tile(self.surveyed[0])
            else:
                self.ask = ASK_TILE
        else:
            self.take_tile(action)

    def begin_turn(self) -> None:
        self.seat = self.turn
        self.price = 1
        self.served = []
        self.ask = ASK_ACTION
        if not self.actions():
            self.end_turn()

    def end_turn(self) -> None:
        self.turn = (self.turn + 1) % self.players
        if self.turn == self.finisher:
            self.done = True
        else:
            self.begin_turn()

    def act(self, action: int) -> None:
        if action == PLOT:
            self.pearls[self.turn] -= 1
            self.court.append(self.lords.pop())
        elif action == EXPLORE:
            self.dive()
        else:
            self.ask = ASK_STACK if action == CONSULT else ASK_LORD

    # exploring

    def dive(self) -> None:
        if not (self.deck or self.discard):
            self.end_exploration()
            return
        self.renew()
        self.row.append(self.deck.pop())
        self.renew()
        if self.row[-1] == MONSTER:
            self.seat = self.turn
            self.ask = ASK_MONSTER
            return
        rivals = [(self.turn + step) % self.players for step in range(1, self.players)]
        self.offered = [seat for seat in rivals if seat not in self.served and self.pearls[seat] >= self.price]
        self.offer()

    def renew(self) -> None:
        if not self.deck:
            self.deck, self.discard = self.discard, []
            shuffle(self.deck, self.rand)

    def offer(self) -> None:
        if self.offered:
            self.seat = self.offered.pop(0)
            self.ask = ASK_BUY
        else:
            self.seat = self.turn
            self.ask = ASK_ALLY

    def answer(self, action: int) -> None:
        if action == NO:
            self.offer()
            return
        self.pearls[self.seat] -= self.price
        self.pearls[self.turn] += self.price
        self.price += 1
        self.served.append(self.seat)
        self.hands[self.seat].append(self.row.pop())
        self.dive()

    def decide(self, action: int) -> None:
        if action == NO:
            self.dive()
            return
        if len(self.row) >= ROW:
            self.pearls[self.turn] += 1
        self.hands[self.turn].append(self.row.pop())
        self.end_exploration()

    def meet(self, action: int) -> None:
        if action == NO:
            self.threat = min(6, self.threat + 1)
            self.dive()
            return
        if len(self.row) >= ROW:
            self.pearls[self.turn] += 1
        self.discard.append(self.row.pop())
        step = self.threat
        keys = min(self.keys, (0, 0, 0, 1, 1, 1, 2)[step])
        self.keys -= keys
        self.rings[self.turn] += keys
        if step in (1, 4):
            self.ask = ASK_ONE_SPOIL
        elif step in (2, 5):
            self.ask = ASK_TWO_SPOILS
        else:
            self.threat = 1
            self.end_exploration()

    def end_exploration(self) -> None:
        for card in self.row:
            if card == MONSTER:
                self.discard.append(card)
            else:
                self.council[card // 10].append(card)
        self.row = []
        self.seat = self.turn
        self.recruited = False
        self.settle()

    # recruiting

    def choose_lord(self, lord: int) -> None:
        mandatory, races, _, _ = LORDS[lord]
        self.lord = lord
        self.paid = []
        self.called = [] if mandatory == NO_RACE else [mandatory]
        self.wanted = races - len(self.called)
        self.ask = ASK_RACE if self.wanted else ASK_CARD

    def pay(self) -> None:
        strength = sum(card % 10 for card in self.paid)
        self.pearls[self.turn] -= max(0, LORDS[self.lord][2] - strength)
        for card in self.paid:
            self.hands[self.turn].remove(card)
        weakest = min(card % 10 for card in self.paid)
        choice = {card for card in self.paid if card % 10 == weakest}
        if len(choice) > 1:
            self.ask = ASK_FOLLOWER
        else:
            self.hire(choice.pop())

    def hire(self, follower: int) -> None:
        self.paid.remove(follower)
        self.retinues[self.turn].append(follower)
        self.discard += self.paid
        self.court.remove(self.lord)
        self.free[self.turn].append(self.lord)
        self.recruited = True
        self.settle()

    def after_recruiting(self) -> None:
        seat = self.turn
        if len(self.court) < 3:
            self.pearls[seat] += 2
            if len(self.court) + len(self.lords) < COURT and self.finisher == NOBODY:
                self.finisher = seat
            while len(self.court) < COURT and self.lords:
                self.court.append(self.lords.pop())
        if len(self.free[seat]) + len(self.tucked[seat]) >= 7 and self.finisher == NOBODY:
            self.finisher = seat

    # locations

    def settle(self) -> None:
        """Take locations while there are three keys; then the turn goes on to its end."""
        sealed = [lord for lord in self.free[self.turn] if LORDS[lord][3]]
        count = len(sealed) + self.rings[self.turn]
        if count >= 3 and (self.open or self.tiles):
            self.backers = [] if count > 3 else sealed
            if count > 3 and sealed:
                self.ask = ASK_BACKER
            else:
                self.back()
            return
        if self.recruited:
            self.after_recruiting()
        self.end_turn()

    def more_backers(self) -> list[int]:
        return [lord for lord in self.free[self.turn] if LORDS[lord][3] and lord not in self.backers]

    def back(self) -> None:
        used = 3 - len(self.backers)
        self.rings[self.turn] -= used
        self.keys += used
        self.ask = ASK_CLAIM

    def take_tile(self, tile: int) -> None:
        if self.surveyed:
            self.surveyed.remove(tile)
            self.open += self.surveyed
            self.surveyed = []
        else:
            self.open.remove(tile)
        self.held[self.turn].append(tile)
        for lord in self.backers:
            self.free[self.turn].remove(lord)
            self.tucked[self.turn].append(lord)
        self.settle()
