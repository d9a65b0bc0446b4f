type PictureWords = { title: string; subtitle: string }

/** A PNG of a drawing on the page, always as it looks on light paper, with what it shows and of when above it. */
export async function pictureOf(drawing: SVGSVGElement, words: PictureWords): Promise<Blob> {
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
    attributes(copy, { x: PADDING, y: HEADER, width, height })
    const size = { width: width + 2 * PADDING, height: height + HEADER + PADDING }
    const whole = document.createElementNS(SVG, 'svg')
    whole.setAttribute('font-family', colours.fontFamily)
    attributes(whole, { viewBox: `0 0 ${size.width} ${size.height}`, ...size })
    whole.append(
      rectangle(size),
      line(words.title, 26, 15, 600, '#1c1d20'),
      line(words.subtitle, 45, 11.5, 400, '#5d6066'),
      copy,
    )
    return await painted(new XMLSerializer().serializeToString(whole), size)
  } finally {
    stage.remove()
  }
}

const SVG = 'http://www.w3.org/2000/svg'
const PADDING = 24
const HEADER = 58
const SCALE = 2

/** Colours are chosen at the root, so that is where they change, until the work is done and before anything is painted. */
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

/** What a drawing gets from style sheets, which a picture does not have. */
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

/** Writes what the style sheets say into the element itself. */
function keepLooks(element: SVGElement): void {
  const style = getComputedStyle(element)
  for (const name of STYLES) {
    const value = style.getPropertyValue(name)
    if (value !== '' && !value.startsWith('url(')) element.setAttribute(name, value)
  }
  element.removeAttribute('class')
}

function attributes(element: SVGElement, values: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, String(value))
}

function rectangle(size: { width: number; height: number }): SVGElement {
  const rect = document.createElementNS(SVG, 'rect')
  attributes(rect, { ...size, fill: '#fff' })
  return rect
}

function line(text: string, y: number, fontSize: number, fontWeight: number, fill: string): SVGElement {
  const element = document.createElementNS(SVG, 'text')
  attributes(element, { x: PADDING, y, 'font-size': fontSize, 'font-weight': fontWeight, fill })
  element.textContent = text
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
