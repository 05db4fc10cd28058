/** The search page answers while one types; htmx swaps only the list. Without it the form works as a form. */
import htmx from "htmx.org";
import { find } from "./lib/dom";

htmx.config.includeIndicatorCSS = false; // the CSP forbids the style element that it would add
const form = find(".search-form");
if (form) htmx.process(form);
