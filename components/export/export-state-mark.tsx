'use client'

import { CircleCheck, CircleDashed, CircleSlash } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ExportEntry, ExportState } from '@/lib/contract/export'

const marks: Record<ExportState, { Icon: typeof CircleCheck; colour: string }> = {
  started: { Icon: CircleDashed, colour: 'text-status-progress' },
  finished: { Icon: CircleCheck, colour: 'text-status-handled' },
  broken: { Icon: CircleSlash, colour: 'text-danger' },
}

/** How an export ended, by shape, word and colour. */
export function ExportStateMark({ entry: { state, written, count } }: { entry: ExportEntry }) {
  const t = useTranslations('export.history')
  const { Icon, colour } = marks[state]
  const isPartly = state === 'broken' && written !== null
  return (
    <span className="tabular inline-flex items-center align-middle gap-1.5">
      <Icon aria-hidden className={`size-4 shrink-0 ${colour}`} />
      {isPartly ? t('brokenAt', { written, count }) : t(state)}
    </span>
  )
}
