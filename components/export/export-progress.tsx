'use client'

import { useFormatter, useTranslations } from 'next-intl'
import type { ExportProgress } from '@/lib/api/export-file'

/** How far a file has come. The size is foreseen, so the bar stops short of its end until the file is whole. */
export function ExportProgressBar({ progress: { bytes, part } }: { progress: ExportProgress }) {
  const t = useTranslations('export.progress')
  const format = useFormatter()
  const megabytes = format.number(bytes / 1e6, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 })
  return (
    <div className="flex flex-col gap-2 py-2">
      <progress
        aria-label={t('label')}
        max={1}
        value={Math.min(0.98, part)}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line-soft [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line-soft [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[width]"
      />
      <p className="tabular text-sm text-mute">{t('received', { size: megabytes })}</p>
    </div>
  )
}
