//! As much of XML and of VTK's files as it takes to read these back.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::ZlibDecoder;

/// A tag: its name, attributes, and the text that follows it.
#[derive(Debug)]
pub(crate) struct Tag {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
    pub(crate) text: String,
}

/// The tags of a text in their order, with a check that they are closed in theirs.
pub(crate) fn tags(text: &str) -> Vec<Tag> {
    let mut found: Vec<Tag> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    for piece in text.split('<').skip(1) {
        let (inside, after) = piece.split_once('>').expect("a tag that ends");
        if inside.starts_with('?') {
            continue;
        }
        if let Some(name) = inside.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let closed = inside.ends_with('/');
        let inside = inside.trim_end_matches('/');
        let (name, mut rest) = inside.split_once(' ').unwrap_or((inside, ""));
        let mut attributes = BTreeMap::new();
        while let Some((key, tail)) = rest.split_once("=\"") {
            let (value, tail) = tail.split_once('"').expect("a value that ends");
            attributes.insert(key.trim().to_owned(), value.to_owned());
            rest = tail;
        }
        assert!(rest.trim().is_empty(), "{inside}");
        if !closed {
            open.push(name.to_owned());
        }
        found.push(Tag { name: name.to_owned(), attributes, text: after.trim().to_owned() });
    }
    assert!(open.is_empty(), "{open:?}");
    found
}

/// A file of fields: tags by section and name, and the bytes of each array.
pub(crate) struct Grid {
    pub(crate) tags: Vec<Tag>,
    appended: Vec<u8>,
    compressed: bool,
}

impl Grid {
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let mark = b"<AppendedData encoding=\"raw\">";
        let begin = bytes.windows(mark.len()).position(|window| window == mark).unwrap();
        let tail = b"\n  </AppendedData>\n</VTKFile>\n";
        assert!(bytes.ends_with(tail));
        let head = std::str::from_utf8(&bytes[..begin]).unwrap();
        let tags = tags(&format!("{head}</VTKFile>"));
        let appended = &bytes[begin + mark.len()..bytes.len() - tail.len()];
        let start = appended.iter().position(|&byte| byte == b'_').unwrap() + 1;
        let compressed = tags[0].attributes.contains_key("compressor");
        Self { tags, appended: appended[start..].to_vec(), compressed }
    }

    /// The tag of an array of a section.
    pub(crate) fn tag(&self, section: &str, name: &str) -> &Tag {
        let inside = self.tags.iter().skip_while(|tag| tag.name != section).skip(1);
        inside
            .take_while(|tag| tag.name == "DataArray")
            .find(|tag| tag.attributes["Name"] == name)
            .unwrap_or_else(|| panic!("no {name} in {section}"))
    }

    fn word(&self, at: usize) -> usize {
        u64::from_le_bytes(self.appended[at..at + 8].try_into().unwrap()) as usize
    }

    /// The bytes of an array.
    pub(crate) fn bytes(&self, section: &str, name: &str, kind: &str) -> Vec<u8> {
        let tag = self.tag(section, name);
        assert_eq!(tag.attributes["type"], kind, "{name}");
        assert_eq!(tag.attributes["format"], "appended");
        let at: usize = tag.attributes["offset"].parse().unwrap();
        if !self.compressed {
            return self.appended[at + 8..][..self.word(at)].to_vec();
        }
        let (blocks, whole, part) = (self.word(at), self.word(at + 8), self.word(at + 16));
        let mut from = at + 24 + 8 * blocks;
        let mut bytes = Vec::new();
        for i in 0..blocks {
            let size = self.word(at + 24 + 8 * i);
            let mut block = Vec::new();
            ZlibDecoder::new(&self.appended[from..from + size]).read_to_end(&mut block).unwrap();
            let expected = if i + 1 == blocks && part > 0 { part } else { whole };
            assert_eq!(block.len(), expected);
            bytes.extend(block);
            from += size;
        }
        bytes
    }

    pub(crate) fn floats(&self, section: &str, name: &str) -> Vec<f64> {
        words(&self.bytes(section, name, "Float64")).map(f64::from_le_bytes).collect()
    }

    pub(crate) fn singles(&self, section: &str, name: &str) -> Vec<f32> {
        words(&self.bytes(section, name, "Float32")).map(f32::from_le_bytes).collect()
    }

    pub(crate) fn integers(&self, section: &str, name: &str, kind: &str) -> Vec<u64> {
        words(&self.bytes(section, name, kind)).map(u64::from_le_bytes).collect()
    }
}

fn words<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    let (words, rest) = bytes.as_chunks::<N>();
    assert!(rest.is_empty());
    words.iter().copied()
}
