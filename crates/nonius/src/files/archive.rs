//! Archives of arrays of NumPy, `.npz`: ZIP files with an array in each member.

use std::io::{self, Cursor, Read, Write};

use nonius_files::room::read_whole;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::array::ArrayProblem;

/// What an array's member is called behind the name of the array.
const ENDING: &str = ".npy";

/// An archive of arrays.
pub(crate) struct Archive(ZipArchive<Cursor<Vec<u8>>>);

impl Archive {
    /// Reads an archive, which is held in memory as it is.
    pub(crate) fn read(input: impl Read) -> Result<Self, ArrayProblem> {
        let bytes = read_whole(input).map_err(ArrayProblem::Read)?;
        ZipArchive::new(Cursor::new(bytes)).map(Self).map_err(|error| broken(&error))
    }

    /// The names of its arrays.
    pub(super) fn names(&self) -> Vec<String> {
        let names = self.0.file_names();
        names.filter_map(|name| name.strip_suffix(ENDING)).map(str::to_string).collect()
    }

    /// The array that a name says, which may be left out where there is but one.
    pub(crate) fn chosen(&self, wanted: Option<&str>) -> Result<String, ArrayProblem> {
        let found = self.names();
        match (wanted, found.as_slice()) {
            (Some(wanted), _) if found.iter().any(|name| name == wanted) => Ok(wanted.to_string()),
            (None, [one]) => Ok(one.clone()),
            _ => Err(ArrayProblem::Name { wanted: wanted.map(str::to_string), found }),
        }
    }

    /// Reads an array of the archive.
    pub(crate) fn array<R>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut dyn Read) -> Result<R, ArrayProblem>,
    ) -> Result<R, ArrayProblem> {
        let of_member = |problem| {
            let problem = Box::new(problem);
            ArrayProblem::Member { name: name.to_string(), problem }
        };
        let member = self.0.by_name(&format!("{name}{ENDING}"));
        let mut member = member.map_err(|error| of_member(broken(&error)))?;
        read(&mut member).map_err(of_member)
    }
}

fn broken(error: &ZipError) -> ArrayProblem {
    ArrayProblem::Archive(error.to_string())
}

/// Writes the contents of an array.
pub(crate) type Contents<'a, E> = &'a mut dyn FnMut(&mut dyn Write) -> Result<(), E>;

/// Writes an archive of arrays, each by its name and its contents.
pub(crate) fn write<E: From<io::Error>>(
    out: &mut dyn Write,
    arrays: &mut [(&str, Contents<'_, E>)],
) -> Result<(), E> {
    let other = |error: ZipError| match error {
        ZipError::Io(error) => error,
        error => io::Error::other(error),
    };
    let mut archive = ZipWriter::new_stream(out);
    let options = SimpleFileOptions::default();
    let options = options.compression_method(CompressionMethod::Stored).large_file(true);
    for (name, contents) in arrays {
        archive.start_file(format!("{name}{ENDING}"), options).map_err(other)?;
        contents(&mut archive)?;
    }
    archive.finish().map_err(other)?;
    Ok(())
}
