'use client'

import { useTranslations } from 'next-intl'
import { isQuestion, nameOf, openingOf } from '@/lib/inbox/lead-text'
import type { Cursor } from './use-cursor'
import type { ListRows } from './use-list-rows'

/**
 * Says which lead has come up: "3 of 1 204, Åsa Öberg, New". In the list itself the focus says it, so this speaks only while
 * a lead is open and the focus is there.
 */
export function CursorVoice({ cursor, rows, isOpen }: { cursor: Cursor; rows: ListRows; isOpen: boolean }) {
  const t = useTranslations('inbox')
  const status = useTranslations('common.status')
  const item = isOpen ? cursor.openItem : undefined
  return (
    <output className="sr-only">
      {item !== undefined &&
        t('at', {
          place: cursor.index + 1,
          count: rows.count,
          name: (isQuestion(item) ? openingOf(item.question) : nameOf(item)) ?? t('nameMissing'),
          status: status(item.triage.status),
        })}
    </output>
  )
}
