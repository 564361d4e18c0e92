#!/usr/bin/env python3
"""Opens .usda files with USD's own library and .pvd files with VTK's, and says as JSON what is in them.

Both come from PyPI (readers.txt) and are installed into an environment of the build, in which this file is run.
"""

import json
import sys
import xml.etree.ElementTree
from pathlib import Path


def usd(path):
    from pxr import Usd, UsdGeom, UsdShade
    stage = Usd.Stage.Open(path)
    end = stage.GetEndTimeCode()
    things = {}
    for prim in stage.Traverse():
        if not prim.IsA(UsdGeom.PointBased):
            continue
        thing = UsdGeom.PointBased(prim)
        matrix = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(end)
        points = [list(matrix.Transform(p)) for p in map(type(matrix.ExtractTranslation()), thing.GetPointsAttr().Get(end))]
        told = {"type": prim.GetTypeName(), "points": points, "samples": thing.GetPointsAttr().GetNumTimeSamples(),
                "moves": UsdGeom.Xformable(prim).TransformMightBeTimeVarying()}
        if prim.IsA(UsdGeom.Mesh):
            mesh = UsdGeom.Mesh(prim)
            indices, counts = mesh.GetFaceVertexIndicesAttr().Get(), mesh.GetFaceVertexCountsAttr().Get()
            told["valid"] = bool(UsdGeom.Mesh.ValidateTopology(indices, counts, len(points))[0])
            told["faces"] = len(counts)
            normals = thing.GetNormalsAttr().Get(end)
            told["normals"] = len(normals)
            told["unit"] = all(abs(n.GetLength() - 1) < 1e-4 for n in normals)
            st = UsdGeom.PrimvarsAPI(prim).GetPrimvar("st")
            told["uvs"] = [list(uv) for uv in st.ComputeFlattened()] if st else None
            subsets = UsdShade.MaterialBindingAPI(prim).GetMaterialBindSubsets()
            bound = [s.GetPrim() for s in subsets] or [prim]
            told["materials"] = []
            for owner in bound:
                material = UsdShade.MaterialBindingAPI(owner).ComputeBoundMaterial()[0]
                source = material.ComputeSurfaceSource()[0]
                told["materials"].append([round(x, 5) for x in source.GetInput("diffuseColor").Get()])
        things[prim.GetDisplayName() or prim.GetName()] = told
    return {"things": things, "up": UsdGeom.GetStageUpAxis(stage), "metres": UsdGeom.GetStageMetersPerUnit(stage),
            "seconds": end / stage.GetTimeCodesPerSecond()}


def vtk(path):
    import vtk as library
    frames = []
    for data_set in xml.etree.ElementTree.parse(path).iter("DataSet"):
        reader = library.vtkXMLPolyDataReader()
        complaints = []
        for event in ("ErrorEvent", "WarningEvent"):
            reader.AddObserver(event, lambda *_: complaints.append(1))
        reader.SetFileName(str(Path(path).parent / data_set.get("file")))
        reader.Update()
        data = reader.GetOutput()
        names = data.GetFieldData().GetAbstractArray("objects")
        normals, uvs = data.GetPointData().GetNormals(), data.GetPointData().GetTCoords()
        colors = data.GetCellData().GetArray("color")
        cells = [data.GetNumberOfVerts(), data.GetNumberOfLines(), data.GetNumberOfPolys()]
        frames.append({
            "time": float(data_set.get("timestep")), "complaints": len(complaints), "cells": cells,
            "own_time": data.GetFieldData().GetArray("TimeValue").GetValue(0),
            "points": [data.GetPoint(i) for i in range(data.GetNumberOfPoints())],
            "objects": [names.GetValue(i) for i in range(names.GetNumberOfValues())],
            "cell_objects": [int(data.GetCellData().GetArray("object").GetValue(i)) for i in range(sum(cells))],
            "normals": normals.GetNumberOfTuples() if normals else 0,
            "uvs": [uvs.GetTuple(i) for i in range(uvs.GetNumberOfTuples())] if uvs else None,
            "colors": [colors.GetTuple(i) for i in range(colors.GetNumberOfTuples())] if colors else None})
    return {"frames": frames}


if __name__ == "__main__":
    print(json.dumps([usd(path) if path.endswith(".usda") else vtk(path) for path in sys.argv[1:]]))
