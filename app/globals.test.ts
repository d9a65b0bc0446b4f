import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('globals.css', import.meta.url), 'utf8')
const surfaces = ['bg', 'panel', 'side', 'raised', 'selected', 'accent-soft']

describe.each(['light', 'dark'] as const)('colours in the %s theme', (theme) => {
  it.each(['ink', 'mute', 'faint'])('%s is readable (4.5:1) on every surface', (text) => {
    for (const surface of surfaces)
      expect(contrast(text, surface, theme), `${text} on ${surface}`).toBeGreaterThanOrEqual(4.5)
  })

  it.each([
    ['accent-ink', 'accent'],
    ['accent-ink', 'accent-strong'],
    ['accent', 'bg'],
    ['accent', 'panel'],
    ['warn-ink', 'warn'],
    ['danger', 'panel'],
    ['danger', 'raised'],
    ['danger-ink', 'danger-soft'],
    ['ink', 'mark'],
    ['mute', 'mark'],
  ])('%s is readable (4.5:1) on %s', (text, surface) => {
    expect(contrast(text, surface, theme)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['status-new', 'status-progress', 'status-handled', 'status-dismissed', 'field-line', 'accent'])(
    '%s can be told from every surface (3:1)',
    (graphic) => {
      for (const surface of surfaces)
        expect(contrast(graphic, surface, theme), `${graphic} on ${surface}`).toBeGreaterThanOrEqual(3)
    },
  )
})

function contrast(a: string, b: string, theme: 'light' | 'dark'): number {
  const [dim = 0, bright = 0] = [luminance(token(a, theme)), luminance(token(b, theme))].toSorted((x, y) => x - y)
  return (bright + 0.05) / (dim + 0.05)
}

function token(name: string, theme: 'light' | 'dark'): [number, number, number] {
  const found = new RegExp(`--color-${name}: light-dark\\(oklch\\(([^)]*)\\), oklch\\(([^)]*)\\)\\)`).exec(css)
  const [l, c, h] = (found?.[theme === 'light' ? 1 : 2] ?? '').split(' ').map(Number)
  if (l === undefined || c === undefined || h === undefined) throw new Error(`no token ${name}`)
  return [l, c, h]
}

/** Relative luminance (WCAG) of an OKLCH colour: https://www.w3.org/TR/css-color-4/#ok-lab */
function luminance([l, c, h]: [number, number, number]): number {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
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
