'use client'

import { Trash2 } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useToday } from '@/components/inbox/use-today'
import { useMe } from '@/components/shell/me'
import { Avatar } from '@/components/ui/avatar'
import { IconButton } from '@/components/ui/icon-button'
import type { LeadRef } from '@/lib/contract/lead'
import type { Note } from '@/lib/contract/note'
import { dayAndTime, fullTime } from '@/lib/time/format-time'
import { RemoveNote } from './remove-note'

export function NoteEntry({ lead, note }: { lead: LeadRef; note: Note }) {
  const t = useTranslations('contact.notes')
  const me = useMe()
  const [isRemoving, setRemoving] = useState(false)
  const name = note.author.name === '' ? t('formerColleague') : note.author.name
  const mayRemove = me !== null && (me.isAdmin || me.id === note.author.id)
  return (
    <li className="group flex gap-3 rounded-lg border border-line bg-panel py-2.5 pr-1.5 pl-3.5 shadow-card">
      <span className="pt-0.5">
        <Avatar name={name} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <bdi className="font-medium wrap-anywhere">{name}</bdi>
          <WrittenAt at={note.createdAt} />
        </p>
        {note.text === '' ? (
          <p className="text-sm text-faint italic">{t('unreadable')}</p>
        ) : (
          <p dir="auto" className="mt-0.5 text-start wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]">
            {note.text}
          </p>
        )}
      </div>
      {mayRemove && (
        <>
          <IconButton
            label={t('remove', { name })}
            onClick={() => setRemoving(true)}
            className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 touch:opacity-100"
          >
            <Trash2 aria-hidden />
          </IconButton>
          <RemoveNote lead={lead} id={note.id} isOpen={isRemoving} onClose={() => setRemoving(false)} />
        </>
      )}
    </li>
  )
}

function WrittenAt({ at }: { at: string }) {
  const locale = useLocale()
  const today = useToday()
  const ms = Date.parse(at)
  return (
    <time dateTime={at} title={fullTime(ms, locale)} className="tabular text-xs text-faint">
      {dayAndTime(ms, today, locale)}
    </time>
  )
}
