import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { expectEvery } from '@/lib/testing/every-case'

const css = readFileSync(new URL('globals.css', import.meta.url), 'utf8')
const surfaces = ['bg', 'panel', 'side', 'raised', 'fill', 'selected', 'marked', 'accent-soft']
const themes = ['light', 'dark'] as const

describe.each(themes)('colours in the %s theme', (theme) => {
  const onSurfaces = (names: readonly string[]) => names.flatMap((name) => surfaces.map((surface) => [name, surface]))
  const expectContrast = (pairs: readonly string[][], least: number) =>
    expectEvery(
      pairs,
      ([name, on]) => `${name} on ${on}`,
      ([name = '', on = '']) => expect(contrast(name, on, theme)).toBeGreaterThanOrEqual(least),
    )

  it('are readable (4.5:1) as text on every surface', () => expectContrast(onSurfaces(['ink', 'mute', 'faint']), 4.5))

  const inPairs = `accent-ink/accent accent-ink/accent-strong accent-ink/status-new accent/bg accent/panel accent/raised
    warn-ink/warn danger/panel danger/raised danger-ink/danger-soft ink/mark mute/mark`
  it('are readable (4.5:1) on their backgrounds', () =>
    expectContrast(
      inPairs.split(/\s+/).map((pair) => pair.split('/')),
      4.5,
    ))

  it('is distinct from every surface (3:1)', async () => {
    const statuses = ['new', 'progress', 'handled', 'dismissed'].map((status) => `status-${status}`)
    await expectContrast(onSurfaces([...statuses, 'field-line', 'accent', 'marked-strong']), 3)
  })
})

describe.each(themes)('one meaning for each colour in the %s theme', (theme) => {
  const coloured = ['accent', 'status-new', 'status-progress', 'status-handled', 'marked-strong']
  const pairs = coloured.flatMap((name) => coloured.flatMap((other) => (other === name ? [] : [[name, other]])))
  it('none is taken for another', () =>
    expectEvery(
      pairs,
      ([name, other]) => `${name} and ${other}`,
      ([name = '', other = '']) => expect(hueBetween(name, other, theme)).toBeGreaterThanOrEqual(30),
    ))

  it('the open row, a marked one, one under the pointer and one at rest differ', () => {
    const hovered = mixed('hover', 'panel', theme)
    const rows = [token('panel', theme), hovered, token('selected', theme), token('marked', theme)]
    for (const [at, row] of rows.entries())
      for (const other of rows.slice(at + 1)) expect(distance(row, other)).toBeGreaterThan(0.02)
  })
})

describe('the rest of the sheet', () => {
  it('names no colour that is not a token', () => {
    const known = new Set([...css.matchAll(/--color-([a-z-]+):/g)].map(([, name]) => name))
    const used = [...css.matchAll(/var\(--color-([a-z-]+)\)/g)].map(([, name]) => name)
    expect(used.filter((name) => !known.has(name))).toEqual([])
  })
})

/** Degrees on the colour wheel. */
function hueBetween(a: string, b: string, theme: Theme): number {
  const apart = Math.abs(token(a, theme)[2] - token(b, theme)[2])
  return Math.min(apart, 360 - apart)
}

/** In OKLab, where 0.02 is about what an eye notices side by side. */
function distance(a: Colour, b: Colour): number {
  const [from, to] = [lab(a), lab(b)]
  return Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2])
}

function lab([l, c, h]: Colour): Colour {
  return [l, c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)]
}

/** A see-through colour upon another; its lightness is what counts. */
function mixed(name: string, under: string, theme: Theme): Colour {
  const [l, c, h, alpha = 1] = parts(name, theme)
  const [below, chroma, hue] = token(under, theme)
  if (l === undefined || c === undefined || h === undefined) throw new Error(`no token ${name}`)
  return [below + (l - below) * alpha, chroma, hue]
}

function contrast(a: string, b: string, theme: Theme): number {
  const [dim = 0, bright = 0] = [luminance(token(a, theme)), luminance(token(b, theme))].toSorted((x, y) => x - y)
  return (bright + 0.05) / (dim + 0.05)
}

type Theme = (typeof themes)[number]
/** Lightness, chroma, hue. */
type Colour = [number, number, number]

function token(name: string, theme: Theme): Colour {
  const [l, c, h] = parts(name, theme)
  if (l === undefined || c === undefined || h === undefined) throw new Error(`no token ${name}`)
  return [l, c, h]
}

function parts(name: string, theme: Theme): number[] {
  const found = new RegExp(`--color-${name}: light-dark\\(oklch\\(([^)]*)\\), oklch\\(([^)]*)\\)\\)`).exec(css)
  return (found?.[theme === 'light' ? 1 : 2] ?? '').split(/[ /]+/).map(Number)
}

/** Relative luminance (WCAG) of an OKLCH colour: https://www.w3.org/TR/css-color-4/#ok-lab */
function luminance(colour: Colour): number {
  const [l, a, b] = lab(colour)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = clip(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short)
  const green = clip(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short)
  const blue = clip(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function clip(channel: number): number {
  return Math.min(1, Math.max(0, channel))
}

it('a control has 44 px where a thumb presses it: no height for touch is less', () => {
  const wrong = globSync('{app,components}/**/*.{tsx,css}').flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const classes = [...text.matchAll(/touch:(?:min-)?(?:h|size)-([\d.]+)(?=[\s"'`;])/g)]
    const rules = [...text.matchAll(/@variant touch \{\s*(?:min-)?(?:height|width): ([\d.]+)rem/g)]
    const low = [...classes.filter(([, size]) => Number(size) < 11), ...rules.filter(([, rem]) => Number(rem) < 2.75)]
    return low.map(([found]) => `${file}: ${found}`)
  })
  // An icon in a button of 44.
  expect(wrong).toEqual(['components/inbox/list-header.tsx: touch:size-4.5'])
})
