import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { expectEvery } from '@/lib/testing/every-case'

const css = readFileSync(new URL('globals.css', import.meta.url), 'utf8')
const surfaces = ['bg', 'panel', 'side', 'raised', 'fill', 'selected', 'marked', 'accent-soft']
const themes = ['light', 'dark'] as const

describe.each(themes)('colours in the %s theme', (theme) => {
  const onSurfaces = (names: readonly string[]) => names.flatMap((name) => surfaces.map((on) => `${name}/${on}`))
  const expectContrast = (pairs: readonly string[], least: number) =>
    expectEvery(pairs, String, (pair) => {
      const [name = '', on = ''] = pair.split('/')
      expect(computeContrast(name, on, theme)).toBeGreaterThanOrEqual(least)
    })

  it('are readable as text (4.5:1) and distinct as shapes (3:1) on every surface that has them', async () => {
    const pairs = `accent-ink/accent accent-ink/accent-strong accent-ink/status-new accent/bg accent/panel accent/raised
      warn-ink/warn danger/panel danger/raised danger-ink/danger-soft ink/mark mute/mark`.split(/\s+/)
    await expectContrast([...onSurfaces(['ink', 'mute', 'faint']), ...pairs], 4.5)
    const statuses = ['new', 'progress', 'handled', 'dismissed'].map((status) => `status-${status}`)
    await expectContrast(onSurfaces([...statuses, 'field-line', 'accent', 'marked-strong']), 3)
  })
})

it('names no colour that is not a token', () => {
  const known = new Set([...css.matchAll(/--color-([a-z-]+):/g)].map(([, name]) => name))
  const used = [...css.matchAll(/var\(--color-([a-z-]+)\)/g)].map(([, name]) => name)
  expect(used.filter((name) => !known.has(name))).toEqual([])
})

it('a control has 44 px where a thumb presses it: no height for touch is less', () => {
  const lowControls = globSync('{app,components}/**/*.{tsx,css}').flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const classes = [...text.matchAll(/touch:(?:min-)?(?:h|size)-([\d.]+)(?=[\s"'`;])/g)]
    const rules = [...text.matchAll(/@variant touch \{\s*(?:min-)?(?:height|width): ([\d.]+)rem/g)]
    const low = [...classes.filter(([, size]) => Number(size) < 11), ...rules.filter(([, rem]) => Number(rem) < 2.75)]
    return low.map(([found]) => `${file}: ${found}`)
  })
  // This icon is in a button of 44 px.
  expect(lowControls).toEqual(['components/inbox/list-header.tsx: touch:size-4.5'])
})

type Theme = (typeof themes)[number]
type Colour = [lightness: number, chroma: number, hue: number, alpha: number]

/** The contrast ratio of WCAG, 1 to 21. */
function computeContrast(a: string, b: string, theme: Theme): number {
  const luminances = [computeLuminance(readToken(a, theme)), computeLuminance(readToken(b, theme))]
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05)
}

function readToken(name: string, theme: Theme): Colour {
  const found = new RegExp(`--color-${name}: light-dark\\(oklch\\(([^)]*)\\), oklch\\(([^)]*)\\)\\)`).exec(css)
  const [l, c, h, alpha = 1] = (found?.[theme === 'light' ? 1 : 2] ?? '').split(/[ /]+/).map(Number)
  if (l === undefined || c === undefined || h === undefined) throw new Error(`no token ${name}`)
  return [l, c, h, alpha]
}

function toLab([l, c, h]: Colour): [number, number, number] {
  return [l, c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)]
}

/** Relative luminance (WCAG) of an OKLCH colour: https://www.w3.org/TR/css-color-4/#ok-lab */
function computeLuminance(colour: Colour): number {
  const [l, a, b] = toLab(colour)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clip = (channel: number) => Math.min(1, Math.max(0, channel))
  const red = clip(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short)
  const green = clip(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short)
  const blue = clip(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
