"""How many edges of a world pass or touch triangles, counted as docs/concepts/contact.md has it: everyone with everyone, in
Python's own whole numbers, of what a peer is told. Nothing of weft's code is involved."""

from weft_peer import numbers


def volume(a, b, c, d):
    """Six times that of the tetrahedron of four places in whole quanta; 0 in one plane."""
    u, v, w = ([end[axis] - a[axis] for axis in range(3)] for end in (b, c, d))
    return ((u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] + (u[0] * v[1] - u[1] * v[0]) * w[2])


def passes(p, q, triangle):
    """Whether the edge p q passes or touches the triangle, of which what lies in its plane does neither."""
    from_side, to_side = (volume(*triangle, end) for end in (p, q))
    if from_side * to_side > 0 or from_side == to_side == 0:
        return False
    around = [volume(p, q, triangle[k], triangle[k - 2]) for k in range(3)]
    return min(around) >= 0 or max(around) <= 0


def coincides(p, q, triangle):
    """Whether both ends are where corners are."""
    return any(p == triangle[i] and q == triangle[k] for i in range(3) for k in range(3) if i != k)


class Surface:
    """A body's exact places, movable particles, triangles, and edges: those of the triangles if there are any."""

    def __init__(self, peer, world, body, triangles=(), edges=(), tets=()):
        self.told = peer.call("body.get", world=world, body=body)
        self.body = body
        faces = {}
        for at in range(0, len(tets), 4):
            for left in range(4):
                face = [tets[at + corner] for corner in range(4) if corner != left]
                faces.setdefault(frozenset(face), []).append(face)
        self.triangles = [triangles[at:at + 3] for at in range(0, len(triangles), 3)]
        self.triangles += [found[0] for found in faces.values() if len(found) == 1]
        ends = [(one[k], one[k - 1]) for one in self.triangles for k in range(3)]
        ends = ends or [(edges[at], edges[at + 1]) for at in range(0, len(edges), 2)]
        self.edges = sorted({(min(pair), max(pair)) for pair in ends})

    def read(self, peer, world, quantum):
        state = peer.call("body.state", world=world, body=self.body, fields=["positions64", "inverse_masses"])
        flat = [place / quantum for place in numbers(state["positions64"], "d")]
        assert all(place == int(place) for place in flat), "places are whole quanta"
        self.places = [tuple(map(int, flat[at:at + 3])) for at in range(0, len(flat), 3)]
        self.moves = [w > 0 for w in numbers(state["inverse_masses"])]


def bits_shared(a, b):
    return a.told["contact_group"] & b.told["contact_mask"] and b.told["contact_group"] & a.told["contact_mask"]


def between(edges, triangles):
    """Edges of one surface with triangles of another one or the same."""
    crossings = 0
    boxes = []
    for corners in triangles.triangles:
        places = [triangles.places[corner] for corner in corners]
        boxes.append((corners, places, [min(axis) for axis in zip(*places)], [max(axis) for axis in zip(*places)],
                      any(triangles.moves[corner] for corner in corners)))
    for ends in edges.edges:
        p, q = (edges.places[end] for end in ends)
        (p0, p1, p2), (q0, q1, q2) = [min(pair) for pair in zip(p, q)], [max(pair) for pair in zip(p, q)]
        moves = any(edges.moves[end] for end in ends)
        for corners, places, least, most, triangle_moves in boxes:
            if (least[0] > q0 or most[0] < p0 or least[1] > q1 or most[1] < p1 or least[2] > q2 or most[2] < p2
                    or not (moves or triangle_moves) or edges is triangles and set(ends) & set(corners)):
                continue
            crossings += passes(p, q, places) or coincides(p, q, places)
    return crossings


def count(peer, world, surfaces, quantum=2.0**-27):
    """Of surfaces that meet as body.get says."""
    for surface in surfaces:
        surface.read(peer, world, quantum)
    return sum(between(one, other) for one in surfaces for other in surfaces
               if (one.told["self_contact"] if one is other else bits_shared(one, other)))
