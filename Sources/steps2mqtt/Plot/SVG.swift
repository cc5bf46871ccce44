/// Writes a drawing, element by element.
struct SVG {
  private(set) var text: String
  private var open: [String] = []

  /// Begins a drawing of a size in px, with what it is called and its style sheet.
  init(width: Double, height: Double, title: String, style: String) {
    let size = "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
    text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" \(size) viewBox="0 0 \(Self.number(width)) \(Self.number(height))">
      <title>\(Self.escaped(title))</title>
      <style>\(style)</style>

      """
    open = ["svg"]
  }

  /// Ends the drawing, and gives all of it.
  consuming func finished() -> String {
    while let element = open.popLast() { text += "</\(element)>\n" }
    return text
  }

  mutating func group(_ name: String, x: Double, y: Double, _ draw: (inout SVG) -> Void) {
    text += "<g class=\"\(name)\" transform=\"translate(\(Self.number(x)) \(Self.number(y)))\">\n"
    draw(&self)
    text += "</g>\n"
  }

  mutating func rectangle(_ name: String, x: Double, y: Double, width: Double, height: Double) {
    let place = "x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
    text += "<rect class=\"\(name)\" \(place) width=\"\(Self.number(width))\" height=\"\(Self.number(height))\"/>\n"
  }

  mutating func path(_ name: String, _ path: Path) {
    guard !path.data.isEmpty else { return }
    text += "<path class=\"\(name)\" d=\"\(path.data)\"/>\n"
  }

  /// A line of text; `anchor` is start, middle or end.
  mutating func words(_ name: String, x: Double, y: Double, anchor: String = "start", _ words: String) {
    let place = "x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" text-anchor=\"\(anchor)\""
    text += "<text class=\"\(name)\" \(place)>\(Self.escaped(words))</text>\n"
  }

  /// A number of px, to the tenth: finer than any screen or printer needs.
  fileprivate static func number(_ value: Double) -> String {
    let text = Text.number(value, 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private static func escaped(_ text: String) -> String {
    text.printable(at: 200).writing(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"])
  }
}

extension SVG {
  /// Strokes, in px.
  struct Path {
    fileprivate(set) var data = ""

    mutating func move(_ x: Double, _ y: Double) { data += "M\(SVG.number(x)) \(SVG.number(y))" }
    mutating func line(_ x: Double, _ y: Double) { data += "L\(SVG.number(x)) \(SVG.number(y))" }
    mutating func vertical(to y: Double) { data += "V\(SVG.number(y))" }
    mutating func close() { data += "Z" }

    /// An upright stroke.
    mutating func tick(_ x: Double, from top: Double, to bottom: Double) {
      move(x, top)
      vertical(to: bottom)
    }

    /// A triangle of a width and a height that stands on its base or, with a negative height, on its tip.
    mutating func triangle(_ x: Double, base: Double, width: Double, height: Double) {
      move(x - width / 2, base)
      line(x + width / 2, base)
      line(x, base - height)
      close()
    }
  }
}
