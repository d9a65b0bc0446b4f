'use client'

import { useTranslations } from 'next-intl'

export type Progress = { done: number; total: number }

/** How far a change of many leads has come. */
export function BulkProgress({ done, total }: Progress) {
  const t = useTranslations('inbox.marked')
  const text = t('progress', { done, total })
  return (
    <div className="flex h-8 items-center gap-3 text-sm touch:h-11">
      <progress
        value={done}
        max={Math.max(1, total)}
        aria-label={text}
        className="h-1.5 flex-1 appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
      />
      <span aria-hidden className="tabular text-mute">
        {text}
      </span>
    </div>
  )
}
