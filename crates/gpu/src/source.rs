//! The texts of kernels, and the modules that are made of them.

use core::ffi::CStr;
use core::fmt::Display;
use std::sync::OnceLock;

use include_dir::Dir;
use sha2::{Digest, Sha256};

use crate::arguments::{Arguments, Entry};

/// The options that every kernel is compiled with, beside the architecture. Contraction of products
/// and sums would break error-free transformations.
pub(crate) const OPTIONS: [&str; 3] = ["--fmad=false", "--std=c++17", "-default-device"];

/// The file that kernels include after the types of its members: the structures that they take.
const ARGUMENTS: &str = "arguments.cuh";

/// Whether two types are the same one. A `constexpr` variable would lie among the tables of kernels
/// and change the machine code of those that read them.
const SAME: &str = "template <class A, class B> struct nonius_same { enum { value = false }; };
template <class A> struct nonius_same<A, A> { enum { value = true }; };
";

/// The files that kernels may include, each by its path below the folder of kernels.
#[derive(Clone, Debug, Default)]
pub struct Texts(Vec<File>);

/// A file of kernels.
#[derive(Clone, Debug)]
struct File {
    name: &'static str,
    text: &'static str,
    /// Found when somebody asks: every module names its files, and most are in many modules.
    facts: OnceLock<Facts>,
}

/// What modules ask of a file.
#[derive(Clone, Debug)]
struct Facts {
    /// The names of the files that it includes itself.
    includes: Vec<&'static str>,
    /// A hash of its text.
    hash: [u8; 32],
}

impl File {
    fn new(name: &'static str, text: &'static str) -> Self {
        Self { name, text, facts: OnceLock::new() }
    }

    fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| Facts {
            includes: included(self.text).collect(),
            hash: Sha256::digest(self.text).into(),
        })
    }
}

impl Texts {
    /// All files of a folder and of the folders in it. Panics where one is not UTF-8.
    pub fn of_folder(folder: &'static Dir<'static>) -> Self {
        fn add(texts: &mut Texts, folder: &'static Dir<'static>) {
            for file in folder.files() {
                let name = file.path().to_str().expect("a kernel's path in UTF-8");
                let text = file.contents_utf8().expect("a kernel in UTF-8");
                texts.0.push(File::new(name, text));
            }
            folder.dirs().for_each(|inner| add(texts, inner));
        }
        let mut texts = Self::default();
        add(&mut texts, folder);
        texts
    }

    /// These files and one more.
    #[must_use]
    pub fn with_file(mut self, name: &'static str, text: &'static str) -> Self {
        self.0.push(File::new(name, text));
        self
    }

    /// These files and those that another crate offers.
    #[must_use]
    pub fn with(mut self, others: &Self) -> Self {
        self.0.extend_from_slice(&others.0);
        self
    }

    /// The files that a text includes, directly or not, in their order here.
    fn needed(&self, text: &str) -> Vec<&File> {
        let mut needed = vec![false; self.0.len()];
        let mut asked_for: Vec<&str> = included(text).collect();
        while let Some(name) = asked_for.pop() {
            let place = self.0.iter().position(|file| file.name == name);
            if let Some(place) = place.filter(|&place| !needed[place]) {
                needed[place] = true;
                asked_for.extend(&self.0[place].facts().includes);
            }
        }
        self.0.iter().zip(needed).filter_map(|(file, needed)| needed.then_some(file)).collect()
    }
}

/// The names of the files that a text includes itself.
fn included(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let name = line.trim_start().strip_prefix("#include")?;
        Some(name.trim().trim_matches('"'))
    })
}

/// A module: what is compiled at once, for one precision.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    definitions: String,
    body: String,
    texts: &'static Texts,
    kernels: Vec<Taking>,
    /// Written when somebody reads it: a module is named at every launch.
    declared: OnceLock<Declared>,
}

/// A kernel and what it takes.
#[derive(Clone, Copy, Debug)]
struct Taking {
    name: &'static CStr,
    types: fn() -> String,
    structures: fn() -> Vec<(&'static str, String)>,
}

/// What a module says of what its kernels take.
#[derive(Clone, Debug)]
struct Declared {
    /// `arguments.cuh`: the structures, each once.
    arguments: String,
    /// Comparisons of the kernels' types with those that the host knows.
    checks: String,
}

impl Declared {
    /// Panics where two structures have one name.
    fn of(kernels: &[Taking], module: &str) -> Self {
        let (mut arguments, mut structures) = (String::new(), Vec::new());
        for (name, text) in kernels.iter().flat_map(|kernel| (kernel.structures)()) {
            if structures.contains(&name) {
                assert!(arguments.contains(&text), "two structures {name} in {module}");
            } else {
                structures.push(name);
                arguments += &text;
            }
        }
        let mut checks = String::from(if kernels.is_empty() { "" } else { SAME });
        for kernel in kernels {
            let (name, types) = (kernel.name.to_string_lossy(), (kernel.types)());
            checks += &format!(
                "static_assert(nonius_same<decltype(&{name}), void (*)({types})>::value, \"{name} takes {types}\");\n"
            );
        }
        Self { arguments, checks }
    }
}

impl Source {
    /// A module that is one file. The name stands in messages and in the cache: letters, digits,
    /// `_`, `-` and `.`.
    pub fn new(texts: &'static Texts, name: impl Into<String>, file: &str) -> Self {
        Self::of_text(texts, name, format!("#include \"{file}\"\n"))
    }

    /// A module of a text of its own.
    pub fn of_text(
        texts: &'static Texts,
        name: impl Into<String>,
        body: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            definitions: String::new(),
            body: body.into(),
            texts,
            kernels: Vec::new(),
            declared: OnceLock::new(),
        }
    }

    /// The same with a macro of the preprocessor defined after those that it has, before its own
    /// text.
    #[must_use]
    pub fn define(mut self, name: &str, value: impl Display) -> Self {
        self.definitions += &format!("#define {name} {value}\n");
        self
    }

    /// The same with several macros defined.
    #[must_use]
    pub fn define_all<V: Display>(self, definitions: &[(&str, V)]) -> Self {
        definitions.iter().fold(self, |source, (name, value)| source.define(name, value))
    }

    /// The same with a kernel that is launched: its file includes `arguments.cuh`, where the
    /// structure is that it takes. Who reads the text panics where another structure there has its
    /// name.
    #[must_use]
    pub fn entry<A: Arguments>(mut self, entry: Entry<A>) -> Self {
        let (types, structures) = (A::types, A::structures);
        self.kernels.push(Taking { name: entry.name(), types, structures });
        self.declared = OnceLock::new();
        self
    }

    fn declared(&self) -> &Declared {
        self.declared.get_or_init(|| Declared::of(&self.kernels, &self.name))
    }

    /// The same under another name.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its own text: definitions, an `#include`, and what is to hold of its kernels.
    pub fn text(&self) -> String {
        [&*self.definitions, &self.body, &self.declared().checks].concat()
    }

    /// The files that it includes, directly or not, in the order of the texts: first the structures
    /// that its kernels take.
    pub fn files(&self) -> Vec<(&str, &str)> {
        let of_texts = self.texts.needed(&self.body);
        let includes = of_texts.iter().flat_map(|file| file.facts().includes.iter().copied());
        let takes = included(&self.body).chain(includes).any(|name| name == ARGUMENTS);
        let arguments = takes.then(|| (ARGUMENTS, self.declared().arguments.as_str()));
        arguments.into_iter().chain(of_texts.iter().map(|file| (file.name, file.text))).collect()
    }

    /// A hash of everything that the machine code depends on but the architecture and the
    /// compiler's version.
    pub(crate) fn digest(&self) -> String {
        let mut hash = Sha256::new();
        let mut add = |text: &[u8]| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        };
        OPTIONS.iter().for_each(|option| add(option.as_bytes()));
        add(self.text().as_bytes());
        add(self.declared().arguments.as_bytes());
        for file in self.texts.needed(&self.body) {
            add(file.name.as_bytes());
            add(&file.facts().hash);
        }
        hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::arguments::KernelType;
    use crate::arguments::tests::Taken;

    static TEXTS: LazyLock<Texts> = LazyLock::new(|| {
        Texts::default()
            .with_file("unused.cuh", "")
            .with_file("folder/kernel.cu", "#include \"number.cuh\"\n")
            .with(&Texts::default().with_file("number.cuh", "struct Number {};\n"))
    });

    /// A module for numbers of `limbs` limbs.
    pub(crate) fn source(limbs: usize) -> Source {
        Source::new(&TEXTS, format!("kernel-{limbs}"), "folder/kernel.cu").define("LIMBS", limbs)
    }

    #[test]
    fn a_module_knows_its_files() {
        let source = source(2).define("A", "b");
        assert_eq!(source.text(), "#define LIMBS 2\n#define A b\n#include \"folder/kernel.cu\"\n");
        let names: Vec<_> = source.files().into_iter().map(|file| file.0).collect();
        assert_eq!(names, ["folder/kernel.cu", "number.cuh"]);
    }

    /// What a kernel takes comes as a file, and what it is declared to take is compared at the end.
    #[test]
    fn a_module_declares_what_its_kernels_take() {
        const FIRST: Entry<Taken> = Entry::new(c"first");
        const SECOND: Entry<Taken> = Entry::new(c"second");
        static TEXTS: LazyLock<Texts> = LazyLock::new(|| {
            Texts::default().with_file("kernel.cu", "#include \"arguments.cuh\"\n")
        });
        let source = Source::new(&TEXTS, "kernel", "kernel.cu").entry(FIRST).entry(SECOND);
        assert_eq!(
            source.files()[0],
            ("arguments.cuh", &*<Taken as KernelType>::structures()[0].1)
        );
        let text = source.text();
        for kernel in ["first", "second"] {
            let check = format!("nonius_same<decltype(&{kernel}), void (*)(Taken)>");
            assert_eq!(text.matches(&check).count(), 1, "{text}");
        }
    }

    #[test]
    fn the_digest_depends_on_all_of_the_text() {
        let first = source(2).digest();
        assert_eq!(source(2).digest(), first);
        assert_ne!(source(3).digest(), first);
        assert_ne!(source(2).define("A", 1).digest(), first);
        assert_eq!(source(2).named("other").digest(), first);
        assert_eq!(first.len(), 32);
    }
}
