import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { downloadBlob } from '@/components/app/download-blob'
import { Button } from '@/components/ui/button'
import { FormFrame } from '@/components/ui/dialog'
import { toast } from '@/components/ui/toast'
import { apiQueryKey } from '@/lib/api/call'
import { classifyExportFailure, downloadExport, type ExportProgress } from '@/lib/api/exports'
import type { ExportRequestInput } from '@/lib/contract/export'

const NO_PROGRESS: ExportProgress = { bytes: 0, fraction: 0 }

/** Downloads an export and saves the file on the computer. Leaving the screen cancels the download. */
export function useExportDownload(onDone: () => void) {
  const t = useTranslations('export')
  const client = useQueryClient()
  const abortController = useRef<AbortController>(null)
  const [progress, setProgress] = useState(NO_PROGRESS)
  useEffect(() => () => abortController.current?.abort(), [])
  const { mutate, isPending, error } = useMutation({
    // Without a network the download fails at once, because a file that comes later would surprise the user.
    networkMode: 'always',
    mutationFn: async (request: ExportRequestInput) => {
      abortController.current = new AbortController()
      const { signal } = abortController.current
      setProgress(NO_PROGRESS)
      return downloadExport(request, { signal, onProgress: setProgress }).catch((reason: unknown) => {
        if (signal.aborted) return null
        throw reason
      })
    },
    onSuccess: (file) => {
      if (file === null) return toast(t('cancelled'))
      downloadBlob(file.name, file.blob)
      toast(t('done', { count: file.count, file: file.name }))
      onDone()
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: apiQueryKey('GET /api/exports') })
      // What counts as new since the last export is another number now.
      void client.invalidateQueries({ queryKey: apiQueryKey('POST /api/exports/preview') })
    },
  })
  const failure = error === null ? null : t(`failed.${classifyExportFailure(error)}`)
  return { progress, isPending, failure, start: mutate, cancel: () => abortController.current?.abort() }
}

export function ExportProgressBar({ progress, onCancel }: { progress: ExportProgress; onCancel: () => void }) {
  const t = useTranslations('export.progress')
  const format = useFormatter()
  const unit = { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 } as const
  return (
    <FormFrame problem={null} actions={<Button text={t('cancel')} onClick={onCancel} />}>
      <progress
        aria-label={t('label')}
        value={progress.fraction}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line-soft [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line-soft [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[width]"
      />
      <p className="tabular text-sm text-mute">{t('received', { size: format.number(progress.bytes / 1e6, unit) })}</p>
    </FormFrame>
  )
}
