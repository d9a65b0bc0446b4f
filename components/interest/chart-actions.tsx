'use client'

import { Download, Image as ImageIcon } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { RefObject } from 'react'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { saveFile } from '@/components/ui/save-file'
import { type Figures, figuresCsv } from '@/lib/interest/figures-csv'
import { pictureOf } from './picture'

/** How a chart's files are called, and what stands in its picture beside its title. */
export type ChartFile = { name: string; asOf: string; subtitle: string }

type ChartActionsProps = {
  title: string
  file: ChartFile
  figures: Figures
  /** Holds the drawing. */
  chart: RefObject<HTMLElement | null>
}

/** A chart's picture and its figures, as files. */
export function ChartActions({ title, file, figures, chart }: ChartActionsProps) {
  const t = useTranslations('interest.chart')
  const fileName = `${file.name}-${file.asOf}`
  const savePicture = async () => {
    try {
      const drawing = chart.current?.querySelector('svg[data-picture]')
      if (!(drawing instanceof SVGSVGElement)) throw new Error('there is no drawing')
      saveFile(`${fileName}.png`, await pictureOf(drawing, { title, subtitle: file.subtitle }))
    } catch {
      toast(t('failed'), { tone: 'error' })
    }
  }
  const saveFigures = () =>
    saveFile(`${fileName}.csv`, new Blob([figuresCsv(figures)], { type: 'text/csv;charset=utf-8' }))
  return (
    <span className="ml-auto flex gap-1 print:hidden">
      <Button variant="ghost" size="sm" aria-label={t('picture', { title })} onClick={() => void savePicture()}>
        <ImageIcon aria-hidden="true" className="size-3.5" />
        {t('pictureShort')}
      </Button>
      <Button variant="ghost" size="sm" aria-label={t('file', { title })} onClick={saveFigures}>
        <Download aria-hidden="true" className="size-3.5" />
        {t('fileShort')}
      </Button>
    </span>
  )
}
