'use client'

import { useQuery } from '@tanstack/react-query'
import { Search, UserPlus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { inputClass } from '@/components/ui/input'
import { users } from '@/lib/api/users'
import type { User } from '@/lib/contract/user'
import { foldText } from '@/lib/leads/fold-text'
import { AdminHeader } from './admin-header'
import { UsersDialog } from './users-dialog'
import { UsersRow } from './users-row'

/** Everyone who may sign in. `first` is what the server knew when it made the page. */
export function UsersScreen({ first }: { first: User[] }) {
  const t = useTranslations('adminUsers')
  const { data, isError } = useQuery({ ...users, initialData: { users: first } })
  const [text, setText] = useState('')
  const [edited, setEdited] = useState<User | 'new' | null>(null)
  const wanted = foldText(text.trim())
  const shown = data.users.filter(({ name, email }) => foldText(`${name} ${email}`).includes(wanted))
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-4 p-4 desk:px-8 desk:py-7">
      <AdminHeader
        title={t('title')}
        lead={t('lead')}
        action={
          <Button variant="primary" onClick={() => setEdited('new')}>
            <UserPlus aria-hidden className="size-4" />
            {t('add')}
          </Button>
        }
      />
      {isError && (
        <p role="alert" className="rounded-md bg-warn px-4 py-2.5 text-sm text-warn-ink">
          {t('stale')}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <UserSearch text={text} onText={setText} />
        <p role="status" className="tabular text-sm text-mute">
          {shown.length === 0 ? t('noMatch') : t('count', { count: shown.length })}
        </p>
      </div>
      {shown.length > 0 && (
        <ul className="overflow-hidden rounded-lg border border-line bg-panel shadow-card">
          {shown.map((user) => (
            <UsersRow key={user.id} user={user} onEdit={() => setEdited(user)} />
          ))}
        </ul>
      )}
      <UsersDialog
        key={edited === null || edited === 'new' ? edited : edited.id}
        edited={edited}
        onClose={() => setEdited(null)}
      />
    </div>
  )
}

function UserSearch({ text, onText }: { text: string; onText: (text: string) => void }) {
  const t = useTranslations('adminUsers')
  return (
    <label className="relative w-full max-w-80 text-faint">
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2" />
      <input
        type="search"
        value={text}
        aria-label={t('search')}
        placeholder={t('search')}
        onChange={(event) => onText(event.target.value)}
        className={`${inputClass} pl-9`}
      />
    </label>
  )
}
