"""The index of listeners, made afresh where pieces were laid by hand: loading, editing, dealing again."""

from __future__ import annotations

from grimoire.runtime.kernel.state import State
from grimoire.runtime.kernel.store import with_instance


def rebuild_index(g: State) -> None:
    """The index of listeners, afresh from the places of the pieces and the floating effects."""
    t = g.tables
    g.unlist_all()
    g.index = [[] for _ in t.index]
    for instance, piece in enumerate(t.instance_piece):
        if piece < 0:
            key = t.abilities[t.instance_ability[instance]].key
            g.index[key] = with_instance(g.index[key], instance)
    for instance, piece in enumerate(t.mod_piece):
        if piece < 0:
            key = t.modifiers[t.mod_instance[instance]].key
            g.index[key] = with_instance(g.index[key], instance)
    for piece, hooks in enumerate(t.hooks):
        for hook in hooks:
            if g.loc[piece] >= 0 and hook.live[g.loc[piece]]:
                g.index[hook.key] = with_instance(g.index[hook.key], hook.instance)
    for serial, effect in sorted(g.floats.items()):
        key = g.float_key(effect)
        g.index[key] = with_instance(g.index[key], g.float_instance(serial, effect))
