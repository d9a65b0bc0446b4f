import { Download, Image as ImageIcon } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useId, useRef } from 'react'
import { downloadBlob } from '@/components/app/download-blob'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { toast } from '@/components/ui/toast'
import { type CsvTable, formatFiguresCsv } from '@/lib/export/csv'

/** The margin of a picture, and the room for its title (px). */
const PICTURE_MARGIN = 24
const TITLE_HEIGHT = 58

type ChartCardProps = {
  title: string
  note?: string
  fileName: string
  figures: CsvTable
  /** If given, the chart's `svg[data-picture]` can be saved as PNG, with this line below the title. */
  pictureSubtitle?: string
  className?: string
  id?: string
  children: ReactNode
}

/** Frames a chart, with buttons to save its figures as CSV and its drawing as PNG. */
export function ChartCard(props: ChartCardProps) {
  const { title, note, fileName, figures, pictureSubtitle, className, id, children } = props
  const t = useTranslations('interest.chart')
  const titleId = useId()
  const chart = useRef<HTMLDivElement>(null)
  const saveFigures = () =>
    downloadBlob(`${fileName}.csv`, new Blob([formatFiguresCsv(figures)], { type: 'text/csv;charset=utf-8' }))
  const savePicture = async (subtitle: string) => {
    const drawing = chart.current?.querySelector<SVGSVGElement>('svg[data-picture]')
    if (!drawing) return
    try {
      downloadBlob(`${fileName}.png`, await paintPng(drawing, title, subtitle))
    } catch {
      toast(t('failed'), { tone: 'error' })
    }
  }
  return (
    <section
      id={id}
      // A card with an id is the target of a link, which moves the focus to it.
      tabIndex={id === undefined ? undefined : -1}
      aria-labelledby={titleId}
      className={cn(
        'flex min-w-0 scroll-mt-4 flex-col rounded-lg border border-line bg-panel p-4 print:break-inside-avoid print:border-0 print:p-0',
        className,
      )}
    >
      <header className="mb-2 flex items-start gap-3">
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 gap-y-1">
          <h2 id={titleId} className="text-sm font-semibold text-balance">
            {title}
          </h2>
          {/* Server and browser may write the dates of a note differently, hence `suppressHydrationWarning`. */}
          {note !== undefined && (
            <p suppressHydrationWarning className="text-xs text-faint">
              {note}
            </p>
          )}
        </div>
        <span className="-my-1.5 -mr-1.5 flex">
          {pictureSubtitle !== undefined && (
            <IconButton
              icon={ImageIcon}
              label={t('picture', { title })}
              onClick={() => void savePicture(pictureSubtitle)}
            />
          )}
          <IconButton icon={Download} label={t('figures', { title })} onClick={saveFigures} />
        </span>
      </header>
      <div ref={chart} className="flex min-h-0 min-w-0 flex-1 flex-col">
        {children}
      </div>
    </section>
  )
}

/** Paints a drawing below a title, on white, twice as large, with the page's styles, which images lack. */
async function paintPng(drawing: SVGSVGElement, title: string, subtitle: string): Promise<Blob> {
  const size = drawing.viewBox.baseVal
  const width = size.width + 2 * PICTURE_MARGIN
  const height = TITLE_HEIGHT + size.height + PICTURE_MARGIN
  const styleRules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText))
  // Overflow stays visible, because the image cannot load the web font, and its substitute may be wider.
  const font = `svg { overflow: visible; font-family: ${getComputedStyle(document.body).fontFamily} }`
  const source = `<svg xmlns="http://www.w3.org/2000/svg" data-theme="light" width="${width}" height="${height}">
    <style>${escapeXml([...styleRules, font].join('\n'))}</style>
    <rect width="100%" height="100%" fill="#fff" />
    <text x="${PICTURE_MARGIN}" y="26" font-size="15" font-weight="600" class="fill-ink">${escapeXml(title)}</text>
    <text x="${PICTURE_MARGIN}" y="45" font-size="11.5" class="fill-mute">${escapeXml(subtitle)}</text>
    <g transform="translate(${PICTURE_MARGIN} ${TITLE_HEIGHT})">${serializeXml(drawing)}</g>
  </svg>`
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`
  await image.decode()
  const canvas = new OffscreenCanvas(2 * width, 2 * height)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.convertToBlob()
}

const serializeXml = (node: Node) => new XMLSerializer().serializeToString(node)
const escapeXml = (text: string) => serializeXml(new Text(text))
