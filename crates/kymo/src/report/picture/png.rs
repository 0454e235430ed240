//! Drawings as pixels.

use std::io;
use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{Options, Tree};

/// Pixels per pixel of the drawing, so that text is sharp in print.
const SCALE: f32 = 2.0;

/// Returns a drawing as PNG. Texts use fonts of this program, and those of the system for
/// characters that they do not have.
pub(in super::super) fn png(svg: &str) -> io::Result<Vec<u8>> {
    let mut fonts = Database::new();
    // The first font of a family is used, so those of this program come first.
    for font in [dejavu::sans::regular(), dejavu::sans::bold()] {
        fonts.load_font_source(Source::Binary(Arc::new(font)));
    }
    fonts.load_system_fonts();
    fonts.set_sans_serif_family("DejaVu Sans");
    let options =
        Options { fontdb: Arc::new(fonts), font_family: "DejaVu Sans".to_owned(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(io::Error::other)?;
    let size = tree.size().to_int_size().scale_by(SCALE);
    let too_large = || io::Error::other("the picture is too large");
    let size = size.ok_or_else(too_large)?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or_else(too_large)?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::super::svg::{Anchor, Area, Drawing};
    use super::*;

    #[test]
    fn areas_and_texts_become_pixels() {
        let mut drawing = Drawing::new();
        let area = Area { left: 10.0, top: 10.0, width: 20.0, height: 10.0 };
        drawing.rectangle(area, [0x2d, 0x76, 0xa3], "").unwrap();
        drawing.text((100.0, 30.0), Anchor::Start, "MPI_Allreduce").unwrap();
        drawing.height = 40.0;
        let pixels = Pixmap::decode_png(&png(&drawing.finish("", "").unwrap()).unwrap()).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (2400, 80));
        let at = |x, y| pixels.pixel(x, y).map(|it| [it.red(), it.green(), it.blue()]);
        assert_eq!((at(30, 30), at(70, 30)), (Some([0x2d, 0x76, 0xa3]), Some([0xff; 3])));
        let dark = |it: &u32| at(*it % 200 + 200, *it / 200 + 30).is_some_and(|it| it[0] < 0x60);
        assert!((0..200 * 40).filter(dark).count() > 300);
    }
}
