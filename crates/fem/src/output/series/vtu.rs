//! A file of fields: XML that says where each array begins in what is appended to it.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

use super::encoding::Encoding;
use super::sink::Sink;
use crate::model::{Block, Kind, Mesh};
use crate::output::consistent::elements;
use crate::{Snapshot, von_mises};

/// Digits of a place in the file, written when it is known.
const OFFSET: usize = 20;

/// Where an array belongs, in the order of the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    PointData,
    CellData,
    Points,
    Cells,
}

/// The type of an array's numbers.
#[derive(Clone, Copy)]
enum Type {
    /// Of coordinates and fields.
    Float,
    Int64,
    UInt64,
    Int32,
    UInt8,
}

impl Type {
    fn name(self, encoding: Encoding) -> &'static str {
        match self {
            Type::Float if encoding.single => "Float32",
            Type::Float => "Float64",
            Type::Int64 => "Int64",
            Type::UInt64 => "UInt64",
            Type::Int32 => "Int32",
            Type::UInt8 => "UInt8",
        }
    }

    fn bytes(self, encoding: Encoding) -> usize {
        match self {
            Type::Float if encoding.single => 4,
            Type::Float | Type::Int64 | Type::UInt64 => 8,
            Type::Int32 => 4,
            Type::UInt8 => 1,
        }
    }
}

type Out<'a> = Sink<'a, File>;

/// Puts all numbers of an array into a sink.
type Contents<'a> = Box<dyn Fn(&mut Out<'_>) -> io::Result<()> + 'a>;

struct Array<'a> {
    section: Section,
    name: &'static str,
    kind: Type,
    /// Names of components, or one that is empty.
    components: &'static [&'static str],
    /// How many numbers there are.
    count: usize,
    contents: Contents<'a>,
}

const SCALAR: &[&str] = &[""];
const VECTOR: &[&str] = &["X", "Y", "Z"];
const TENSOR: &[&str] = &["XX", "YY", "ZZ", "XY", "YZ", "XZ"];

/// VTK's number of a kind of cell; nodes are in Abaqus's order in each.
fn cell(kind: Kind) -> u8 {
    match kind {
        Kind::Hexahedron | Kind::ReducedHexahedron => 12,
        Kind::Tetrahedron => 10,
        Kind::PlaneStrain | Kind::Axisymmetric => 9,
    }
}

/// All arrays, in the order of sections. The mesh and the snapshot fit together.
fn arrays<'a>(mesh: &'a Mesh, snapshot: &'a Snapshot) -> Vec<Array<'a>> {
    use Section::{CellData, Cells, PointData, Points};
    let (nodes, cells) = (mesh.coordinates.len(), elements(mesh));
    let vectors = |section, name, values: &'a [[f64; 3]]| Array {
        section,
        name,
        kind: Type::Float,
        components: VECTOR,
        count: 3 * nodes,
        contents: floats(values.as_flattened()),
    };
    let scalars = |name, values: &'a [f64]| Array {
        section: CellData,
        name,
        kind: Type::Float,
        components: SCALAR,
        count: cells,
        contents: floats(values),
    };
    let of_cells = |section, name, kind, count, contents| Array {
        section,
        name,
        kind,
        components: SCALAR,
        count,
        contents,
    };
    let corners = mesh.blocks.iter().map(|block| block.nodes.len()).sum();
    vec![
        vectors(PointData, "displacement", &snapshot.displacements),
        vectors(PointData, "velocity", &snapshot.velocities),
        of_cells(PointData, "label", Type::UInt64, nodes, integers(&mesh.node_labels)),
        Array {
            section: CellData,
            name: "stress",
            kind: Type::Float,
            components: TENSOR,
            count: 6 * cells,
            contents: floats(snapshot.stresses.as_flattened()),
        },
        of_cells(
            CellData,
            "von_mises",
            Type::Float,
            cells,
            Box::new(|out| snapshot.stresses.iter().try_for_each(|s| out.float(von_mises(s)))),
        ),
        scalars("plastic_strain", &snapshot.plastic_strains),
        scalars("temperature", &snapshot.temperatures),
        of_cells(
            CellData,
            "label",
            Type::UInt64,
            cells,
            each_block(mesh, |out, block| integers(&block.labels)(out)),
        ),
        of_cells(
            CellData,
            "material",
            Type::Int32,
            cells,
            each_block(mesh, |out, block| {
                let material = i32::try_from(block.material).unwrap_or(i32::MAX).to_le_bytes();
                block.labels.iter().try_for_each(|_| out.bytes(&material))
            }),
        ),
        vectors(Points, "Points", &mesh.coordinates),
        of_cells(
            Cells,
            "connectivity",
            Type::Int64,
            corners,
            each_block(mesh, |out, block| {
                block.nodes.iter().try_for_each(|&node| out.bytes(&i64::from(node).to_le_bytes()))
            }),
        ),
        of_cells(
            Cells,
            "offsets",
            Type::Int64,
            cells,
            Box::new(|out| {
                let counts = mesh
                    .blocks
                    .iter()
                    .flat_map(|block| block.labels.iter().map(|_| block.kind.nodes() as i64));
                let mut end = 0_i64;
                for count in counts {
                    end += count;
                    out.bytes(&end.to_le_bytes())?;
                }
                Ok(())
            }),
        ),
        of_cells(
            Cells,
            "types",
            Type::UInt8,
            cells,
            each_block(mesh, |out, block| {
                block.labels.iter().try_for_each(|_| out.bytes(&[cell(block.kind)]))
            }),
        ),
    ]
}

fn floats<'a>(values: &'a [f64]) -> Contents<'a> {
    Box::new(|out| values.iter().try_for_each(|&x| out.float(x)))
}

fn integers<'a>(values: &'a [u64]) -> Contents<'a> {
    Box::new(|out| values.iter().try_for_each(|x| out.bytes(&x.to_le_bytes())))
}

fn each_block<'a>(
    mesh: &'a Mesh,
    contents: impl Fn(&mut Out<'_>, &'a Block) -> io::Result<()> + 'a,
) -> Contents<'a> {
    Box::new(move |out| mesh.blocks.iter().try_for_each(|block| contents(out, block)))
}

pub(super) fn write(
    out: &mut File,
    mesh: &Mesh,
    snapshot: &Snapshot,
    encoding: Encoding,
) -> io::Result<()> {
    let arrays = arrays(mesh, snapshot);
    let (head, places) = head(&arrays, mesh, snapshot, encoding);
    out.write_all(head.as_bytes())?;
    let begin = head.len() as u64;
    let mut begins = Vec::with_capacity(arrays.len());
    let mut sink = Sink::new(out, encoding);
    for array in &arrays {
        let bytes = (array.count * array.kind.bytes(encoding)) as u64;
        begins.push(sink.array(bytes, |sink| (array.contents)(sink))? - begin);
    }
    out.write_all(b"\n  </AppendedData>\n</VTKFile>\n")?;
    for (place, offset) in places.iter().zip(begins) {
        out.seek(SeekFrom::Start(*place as u64))?;
        out.write_all(format!("{offset:0OFFSET$}").as_bytes())?;
    }
    Ok(())
}

/// What stands before the arrays, and where in it their places are to be written.
fn head(
    arrays: &[Array<'_>],
    mesh: &Mesh,
    snapshot: &Snapshot,
    encoding: Encoding,
) -> (String, Vec<usize>) {
    let compressor = if encoding.compressed { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
    let (nodes, cells) = (mesh.coordinates.len(), elements(mesh));
    let Snapshot { time, step, .. } = snapshot;
    let mut text = format!(
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt64\"{compressor}>\n  \
         <UnstructuredGrid>\n    \
         <FieldData>\n      \
         <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">\
         {time:?}</DataArray>\n      \
         <DataArray type=\"UInt64\" Name=\"step\" NumberOfTuples=\"1\" format=\"ascii\">\
         {step}</DataArray>\n    \
         </FieldData>\n    \
         <Piece NumberOfPoints=\"{nodes}\" NumberOfCells=\"{cells}\">\n"
    );
    let sections = [
        (Section::PointData, "PointData", " Vectors=\"displacement\""),
        (Section::CellData, "CellData", " Scalars=\"von_mises\""),
        (Section::Points, "Points", ""),
        (Section::Cells, "Cells", ""),
    ];
    let mut places = Vec::with_capacity(arrays.len());
    for (section, tag, attributes) in sections {
        text.push_str(&format!("      <{tag}{attributes}>\n"));
        for array in arrays.iter().filter(|array| array.section == section) {
            let kind = array.kind.name(encoding);
            text.push_str(&format!("        <DataArray type=\"{kind}\" Name=\"{}\"", array.name));
            if let [_, _, ..] = array.components {
                text.push_str(&format!(" NumberOfComponents=\"{}\"", array.components.len()));
                for (i, name) in array.components.iter().enumerate() {
                    text.push_str(&format!(" ComponentName{i}=\"{name}\""));
                }
            }
            text.push_str(" format=\"appended\" offset=\"");
            places.push(text.len());
            text.push_str(&format!("{:0OFFSET$}\"/>\n", 0));
        }
        text.push_str(&format!("      </{tag}>\n"));
    }
    text.push_str("    </Piece>\n  </UnstructuredGrid>\n  <AppendedData encoding=\"raw\">\n    _");
    (text, places)
}
