import Testing

@testable import YAML

@Suite struct DocumentTests {
  @Test func `reads scalars, sequences and mappings with their places`() throws {
    let document = Document(parsing: "a: 1\nb:\n  - \"x\"\n  - {c: d}\n")
    #expect(document.faults == [])
    let root = try #require(document.root)
    #expect(root["a"] == Node(.scalar("1", isPlain: true), at: Position(line: 1, column: 4)))
    guard case .sequence(let items)? = root["b"]?.content else {
      Issue.record("b is no sequence")
      return
    }
    #expect(items.first == Node(.scalar("x", isPlain: false), at: Position(line: 3, column: 5)))
    #expect(items.last?["c"] == Node(.scalar("d", isPlain: true), at: Position(line: 4, column: 9)))
  }

  @Test func `keeps the order of keys`() throws {
    let document = Document(parsing: "z: 1\na: 2\nm: 3\n")
    guard case .mapping(let entries)? = document.root?.content else {
      Issue.record("no mapping")
      return
    }
    #expect(entries.map(\.key) == ["z", "a", "m"])
    #expect(entries.map(\.position.line) == [1, 2, 3])
  }

  @Test(arguments: ["", "\n\n", "# only a word\n", "---\n...\n", "\u{FEFF}"])
  func `a document without a value has no faults`(text: String) {
    let document = Document(parsing: text)
    #expect(document.root?.isNull ?? true)
    #expect(document.faults == [])
  }

  @Test(arguments: [
    ("a: [1, 2\n", 2, 1, "did not find expected ',' or ']' while parsing a flow sequence that begins at 1:4"),
    ("a: 1\n\tb: 2\n", 2, 1, "a tab cannot indent; use spaces"),
    ("a: 1\na: 2\n", 2, 1, "the same key stands in line 1 already; keep one of them"),
    ("a: &x 1\n", 1, 4, "anchors (&name) are not taken; write the value where it is needed"),
    ("a: *x\n", 1, 4, "aliases (*name) are not taken; write the value itself"),
    ("a: !!int 1\n", 1, 4, "tags (!name) are not taken; the setting itself says what type it has"),
    ("a: 1\n---\nb: 2\n", 2, 1, "a second document begins here; only one is taken"),
    ("? [a]\n: 1\n", 1, 3, "a key must be a word"),
    ("a: [[[[[1]]]]]\n", 1, 7, "nests deeper than 4 levels"),
    ("ä: \u{1}\n", 1, 4, "a control character; remove it or write it as \"\\x07\" in quotes"),
  ])
  func `says what is wrong, and where`(text: String, line: Int, column: Int, message: String) {
    let document = Document(parsing: text, limits: Document.Limits(depth: 4))
    #expect(document.faults == [Fault(at: Position(line: line, column: column), message)])
  }

  @Test func `bytes that are not UTF-8 are named with their place`() {
    let document = Document(parsing: Array("a: 1\nb: x".utf8) + [0xFF, 0x0A])
    #expect(document.root == nil)
    #expect(document.faults.map(\.position) == [Position(line: 2, column: 5)])
    #expect(document.faults.first?.message.hasSuffix("save the file as UTF-8") == true)
  }

  @Test func `UTF-16 is refused`() {
    let document = Document(parsing: [0xFF, 0xFE, 0x61, 0x00, 0x3A, 0x00])
    #expect(document.faults.count == 1)
  }

  @Test func `a document that is too large is not read`() {
    let document = Document(parsing: String(repeating: "#", count: 101), limits: Document.Limits(bytes: 100))
    #expect(document.root == nil)
    #expect(document.faults.count == 1)
  }

  @Test func `several faults come in the order of the text`() {
    let document = Document(parsing: "a: *x\nb: 1\nb: 2\nc: !t 3\n")
    #expect(document.faults.map(\.position.line) == [1, 3, 4])
    #expect(document.root?["b"]?.content == .scalar("1", isPlain: true))
  }

  @Test func `a null is told from text`() throws {
    let root = try #require(Document(parsing: "a:\nb: ~\nc: null\nd: \"\"\ne: 'null'\nf: x\n").root)
    let nulls = ["a", "b", "c", "d", "e", "f"].map { root[$0]?.isNull }
    #expect(nulls == [true, true, true, false, false, false])
  }
}
