/** A PNG of a drawing on the page, always as it looks on light paper, below its title and subtitle. */
export async function pictureOf(drawing: SVGSVGElement, words: { title: string; subtitle: string }): Promise<Blob> {
  const { width, height } = drawing.viewBox.baseVal
  const stage = document.createElement('div')
  stage.style.cssText = 'position:fixed;left:-99999px;top:0'
  stage.style.width = `${width}px`
  const copy = drawing.cloneNode(true)
  if (!(copy instanceof SVGSVGElement)) throw new TypeError('a copy of a drawing is a drawing')
  // The mark of the point that is read out is for the screen alone.
  for (const mark of copy.querySelectorAll(`.${CSS.escape('print:hidden')}`)) mark.remove()
  stage.append(copy)
  document.body.append(stage)
  try {
    const colours = getComputedStyle(stage)
    inLightTheme(() => {
      for (const element of [copy, ...copy.querySelectorAll<SVGElement>('*')]) keepLooks(element)
    })
    const size = { width: width + 2 * PADDING, height: height + HEADER + PADDING }
    const { fontFamily } = colours
    const whole = svgElement('svg', { viewBox: `0 0 ${size.width} ${size.height}`, ...size, 'font-family': fontFamily })
    const line = { x: PADDING, y: 45, 'font-size': 11.5, 'font-weight': 400, fill: '#5d6066' }
    whole.append(
      svgElement('rect', { ...size, fill: '#fff' }),
      svgElement('text', { ...line, y: 26, 'font-size': 15, 'font-weight': 600, fill: '#1c1d20' }, words.title),
      svgElement('text', line, words.subtitle),
      withAttributes(copy, { x: PADDING, y: HEADER, width, height }),
    )
    return await painted(new XMLSerializer().serializeToString(whole), size)
  } finally {
    stage.remove()
  }
}

const PADDING = 24
const HEADER = 58
const SCALE = 2

/** The theme is chosen at the root. It is changed back before anything is painted. */
function inLightTheme(work: () => void): void {
  const { dataset } = document.documentElement
  const theme = dataset['theme'] ?? ''
  dataset['theme'] = 'light'
  try {
    work()
  } finally {
    dataset['theme'] = theme
  }
}

/** A picture has no style sheets: what they say of these properties is written into the elements. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'opacity',
]

function keepLooks(element: SVGElement): void {
  const style = getComputedStyle(element)
  for (const name of STYLES) {
    const value = style.getPropertyValue(name)
    if (value !== '' && !value.startsWith('url(')) element.setAttribute(name, value)
  }
  element.removeAttribute('class')
}

type Attributes = Record<string, string | number>

function svgElement(name: string, attributes: Attributes, text = ''): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  element.textContent = text
  return withAttributes(element, attributes)
}

function withAttributes(element: SVGElement, attributes: Attributes): SVGElement {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  return element
}

async function painted(source: string, { width, height }: { width: number; height: number }): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * SCALE
  canvas.height = height * SCALE
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is empty'))), 'image/png')
  })
}
