# The first module of the browser lacks these sources below server/ (without ".c"). Pages fetch weft-machine.wasm before a world runs, and
# weft-machine-full.wasm when a world needs one of these. A line here is all that a feature needs to stay out of the first module.
#
# The linker finds which calls come here. A function of these files that the first module uses is an import there, and a call of
# it ends the module with LATER (src/lib/machine.ts). So a file does not belong here if every world calls it: then the gallery
# and tests/machine/plain.json fail in tests/lib/machine.test.ts. A file whose data are used elsewhere cannot be left out, which the linker says.
#
# A kind's file is left out with its kernels alone. Its row stays, because sizes and names of all kinds are in one table, and room
# for a constraint of such a kind ends in LATER too (sim/store/shelf.c).
set(wasm_later
  # height fields
  sim/field/clear
  sim/field/edge
  sim/field/make
  sim/field/point
  sim/field/triangle
  # kinds
  sim/kinds/isometric
  sim/kinds/join
  sim/kinds/joint
  sim/kinds/neo_hookean
  sim/kinds/orthotropic
  sim/kinds/rod_bend
  sim/kinds/rod_stretch
  sim/kinds/slide
  sim/kinds/slide_rail
  sim/kinds/solid_flow
  # loads that are solved
  sim/bear/energy
  sim/bear/find
  sim/bear/fronts
  sim/bear/mark
  sim/bear/settle
  sim/bear/solve
  # fields of force, rails
  document/edit_force
  sim/constraint/constraint_rail
  # gusts, winds and fans, pressure, soft pins, force fields
  sim/kernels/air
  sim/kernels/drafts
  sim/kernels/fields
  sim/kernels/pressure
  sim/kernels/soft
  sim/solve/drafts
  # restitution of edges, triangles and pairs of bodies
  sim/contact/bounce
  # joints
  document/jointed
  sim/constraint/constraint_jointed
  sim/ground/jointed
  sim/solve/jointed
  # rods
  sim/body/rod
  sim/body/rod_chains
  sim/kernels/turn
  sim/edit/clamp_turns
  sim/edit/clamp
  sim/motion/clamp
  sim/solve/clamps
  sim/solve/rod_direct
  # what long edges carry, which is found when forces are asked for
  sim/long/carried
  # images of looks; surfaces by pairs; what crosses is pushed apart
  document/images
  sim/edit/surface_check
  sim/contact/untangle
  # fabrics by name
  document/named
  # rigid bodies
  document/rigid
  sim/body/rigid
  sim/edit/turn
  sim/ground/rigid
  sim/ground/rigid_compound
  sim/ground/rigid_hull
  sim/ground/rigid_shape
  sim/ground/segment
  sim/kernels/touch_lanes
  sim/rigid/box
  sim/rigid/compound
  sim/rigid/levels
  sim/rigid/cylinder
  sim/rigid/field
  sim/rigid/hull
  sim/rigid/hull_round
  sim/rigid/manifold
  sim/rigid/points
  sim/rigid/polyhedron
  sim/rigid/proxy
  sim/rigid/round
  sim/rigid/stand
  sim/rigid/touching
  sim/rigid/touching_pair
  sim/rigid/view
  sim/solve/rigid
  sim/solve/rigid_meet
  # shape matching; what holds bodies with pressure or a shape in their places
  sim/body/match
  sim/kernels/match
  sim/kernels/steady
  sim/solve/steady
  # rigid pieces against surfaces
  sim/contact/part
  sim/contact/piece_shape
  sim/contact/pieces
  sim/contact/pieces_hold
  sim/solve/match
  # pressure
  sim/body/balloon
  sim/solve/pressure
  # bending along yarns, tears
  sim/contact/rims
  sim/solve/tear
  sim/body/bend_yarns
  sim/body/torn
  sim/constraint/torn
  # undo of fields and of what others have changed since, and what edit.restore is checked for
  document/join
  document/prune
  document/restore_agree
  sim/restore/restore_fields
  sim/restore/restore_own
)
# These are compiled again for the first module, with SIM_FIRST_MODULE: they know which kinds are linked.
set(wasm_differs sim/kernels/kernels sim/store/shelf)
