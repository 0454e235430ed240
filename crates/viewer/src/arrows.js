// Arrows over the rows of a picture.
import { themeColour } from "./colours.js";

/** Draws arrows with a rim, so that they are visible on every colour; each is the point where it begins and the one where it ends.
 * @param {CanvasRenderingContext2D} context @param {number[][]} arrows @param {number} ratio @param {string} colour */
export function inkedArrows(context, arrows, ratio, colour) {
    const path = new Path2D();
    for (const [left, top, right, bottom] of arrows) {
        path.moveTo(left, top);
        path.lineTo(right, bottom);
    }
    context.strokeStyle = themeColour("--rim");
    context.lineWidth = 3 * ratio;
    context.stroke(path);
    context.strokeStyle = colour;
    context.lineWidth = 1 * ratio;
    context.stroke(path);
    context.fillStyle = colour;
    for (const [, , x, y] of arrows) context.fillRect(x - 1.5 * ratio, y - 1.5 * ratio, 3 * ratio, 3 * ratio);
}
