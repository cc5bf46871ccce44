import Foundation
import FoundationXML

/// A drawing as an outside reader of XML sees it; nil where it is not well-formed.
final class Drawing: NSObject, XMLParserDelegate {
  struct Element {
    var name: String
    var attributes: [String: String]
    var text = ""
  }

  private(set) var elements: [Element] = []
  private var open: [Int] = []

  init?(_ text: String) {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    guard parser.parse(), elements.first?.name == "svg" else { return nil }
  }

  /// The elements of a class.
  subscript(name: String) -> [Element] {
    elements.filter { ($0.attributes["class"] ?? "").split(separator: " ").contains(Substring(name)) }
  }

  /// The number of strokes, each begun by moving the pen, in the rows' paths of a class.
  ///
  /// The legend, which comes first, holds one path of each class.
  func strokes(_ name: String) -> Int {
    self[name].dropFirst().reduce(0) { sum, element in
      sum + (element.attributes["d"] ?? "").filter { $0 == "M" }.count
    }
  }

  var words: [String] { elements.filter { $0.name == "text" }.map(\.text) }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    open.append(elements.count)
    elements.append(Element(name: name, attributes: attributes))
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    open.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let element = open.last { elements[element].text += text }
  }
}
