'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { saveFile } from '@/components/ui/save-file'
import { toast } from '@/components/ui/toast'
import { ApiError } from '@/lib/api/api-error'
import { exportFile, type ExportProgress } from '@/lib/api/export-file'
import { EXPORT_PREVIEWS, exportHistory } from '@/lib/api/exports'
import type { NewExport } from '@/lib/contract/export'

export type ExportRun = {
  /** Null while nothing runs. */
  progress: ExportProgress | null
  error: string | null
  start: (request: NewExport) => Promise<void>
  cancel: () => void
}

/** Fetches a file and saves it. Whoever leaves in the middle breaks it off, and nothing is saved. */
export function useExportRun(onDone: () => void): ExportRun {
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
      void client.invalidateQueries({ queryKey: exportHistory.queryKey })
      void client.invalidateQueries({ queryKey: EXPORT_PREVIEWS })
    }
  }
  return { progress, error, start, cancel: () => running.current?.abort() }
}

export function reasonOf(failure: unknown): 'offline' | 'not-found' | 'unauthorized' | 'changed' | 'other' {
  if (failure instanceof ApiError && failure.status === 409) return 'changed'
  const kind = failure instanceof ApiError ? failure.kind : null
  return kind === 'offline' || kind === 'not-found' || kind === 'unauthorized' ? kind : 'other'
}
