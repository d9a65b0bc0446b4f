'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { exportPreview } from '@/lib/api/exports'
import type { ExportFormat, ExportPreview, ExportTally, ExportTarget } from '@/lib/contract/export'
import { hasMinors } from './minors-check'
import { NO_PURPOSE, type Purpose } from './purpose-field'

/** What is asked before leads leave in any shape: of which, why, and whether the young among them were thought of. */
export function useExportForm(target: ExportTarget, format: ExportFormat, newFirst: boolean) {
  const t = useTranslations('export.purpose')
  const { data: preview, error } = useQuery(exportPreview(target, format))
  const [onlyNew, setOnlyNew] = useState<boolean | null>(null)
  const [purpose, setPurpose] = useState<Purpose>(NO_PURPOSE)
  const [isThoughtOf, setThoughtOf] = useState(false)
  const [isChecked, setChecked] = useState(false)

  const newOnly = isNewOnly(preview, onlyNew ?? newFirst)
  const tally: ExportTally | undefined = newOnly ? (preview?.fresh ?? undefined) : preview
  const reason = purpose.name === 'other' ? purpose.text.trim() : purpose.name === '' ? '' : t(purpose.name)
  const asksForThought = tally !== undefined && hasMinors(tally)
  const isComplete = reason !== '' && (isThoughtOf || !asksForThought)
  return {
    preview,
    error,
    tally,
    newOnly,
    setNewOnly: (value: boolean) => setOnlyNew(value),
    purpose,
    setPurpose,
    purposeError: isChecked && reason === '' ? t('missing') : undefined,
    asksForThought,
    isThoughtOf,
    setThoughtOf,
    isThoughtMissing: isChecked && !isThoughtOf,
    /** The purpose in words; null when something is missing, which is then shown. */
    check: (): string | null => {
      setChecked(true)
      return isComplete ? reason : null
    },
  }
}

function isNewOnly(preview: ExportPreview | undefined, wanted: boolean): boolean {
  return wanted && (preview?.fresh?.count ?? 0) > 0
}
