'use client'

import { Pencil } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useSchoolNames } from '@/components/inbox/use-school-names'
import { useMe } from '@/components/shell/me'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { IconButton } from '@/components/ui/icon-button'
import type { User } from '@/lib/contract/user'

const NAMED_SCHOOLS = 2

export function UsersRow({ user, onEdit }: { user: User; onEdit: () => void }) {
  const t = useTranslations('adminUsers')
  const common = useTranslations('common.role')
  const me = useMe()
  const { name, email, role, disabled } = user
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3.5 gap-y-1.5 border-b border-line-soft py-2.5 pr-2 pl-4 last:border-b-0 desk:grid-cols-[auto_minmax(0,1.4fr)_9.5rem_minmax(0,1fr)_5.5rem_auto]">
      <Avatar name={name} size="md" />
      <div className="min-w-0">
        <p className="flex min-w-0 items-center gap-2">
          <bdi className={`truncate font-medium ${disabled ? 'text-mute line-through' : ''}`}>{name}</bdi>
          {me?.id === user.id && <Badge>{t('you')}</Badge>}
        </p>
        <p className="truncate text-sm text-mute">{email}</p>
      </div>
      <p className="col-start-2 text-sm desk:col-start-auto">{common(role)}</p>
      <p className="col-start-2 min-w-0 truncate text-sm text-mute desk:col-start-auto">
        <Schools schools={user.schools} />
      </p>
      <p className="col-start-2 desk:col-start-auto">
        <State user={user} />
      </p>
      <span className="col-start-3 row-start-1 desk:col-start-auto desk:row-start-auto">
        <IconButton label={t('edit', { name })} onClick={onEdit}>
          <Pencil aria-hidden />
        </IconButton>
      </span>
    </li>
  )
}

function Schools({ schools }: Pick<User, 'schools'>) {
  const t = useTranslations('adminUsers.schools')
  const names = useSchoolNames()
  if (schools === 'all') return t('all')
  if (schools.length === 0 || schools.length > NAMED_SCHOOLS) return t('count', { count: schools.length })
  return schools.map(names.byId).join(', ')
}

function State({ user: { disabled, pending } }: { user: User }) {
  const t = useTranslations('adminUsers.state')
  if (disabled) return <Badge tone="danger">{t('disabled')}</Badge>
  if (pending) return <Badge tone="warn">{t('pending')}</Badge>
  return <Badge tone="neutral">{t('active')}</Badge>
}
