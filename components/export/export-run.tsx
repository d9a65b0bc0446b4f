import { useQueryClient } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { saveFile } from '@/components/browser/save-file'
import { toast } from '@/components/ui/toast'
import { keyOf } from '@/lib/api/call'
import { exportFile, type ExportProgress } from '@/lib/api/exports'
import { ApiError } from '@/lib/api/send'
import type { NewExport } from '@/lib/contract/export'

export function useExportRun(onDone: () => void) {
  const t = useTranslations('export')
  const client = useQueryClient()
  const running = useRef<AbortController>(null)
  const [progress, setProgress] = useState<ExportProgress | null>(null)
  const [error, setError] = useState<string | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = async (request: NewExport) => {
    const run = new AbortController()
    running.current = run
    setError(null)
    setProgress({ bytes: 0, part: 0 })
    try {
      const file = await exportFile(request, { signal: run.signal, onProgress: setProgress })
      saveFile(file.name, file.blob)
      toast(t('done', { count: file.count, file: file.name }))
      onDone()
    } catch (failure) {
      if (run.signal.aborted) toast(t('cancelled'))
      else setError(t(`failed.${reasonOf(failure)}`))
    } finally {
      setProgress(null)
      void client.invalidateQueries({ queryKey: keyOf('GET /api/exports') })
      void client.invalidateQueries({ queryKey: keyOf('POST /api/exports/preview') })
    }
  }
  return { progress, error, start, cancel: () => running.current?.abort() }
}

export function reasonOf(failure: unknown): 'offline' | 'not-found' | 'unauthorized' | 'changed' | 'other' {
  if (failure instanceof ApiError && failure.status === 409) return 'changed'
  const kind = failure instanceof ApiError ? failure.kind : null
  return kind === 'offline' || kind === 'not-found' || kind === 'unauthorized' ? kind : 'other'
}

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
