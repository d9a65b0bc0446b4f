'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Dialog } from '@/components/ui/dialog'
import type { User } from '@/lib/contract/user'
import { UsersAddForm } from './users-add-form'
import { UsersEditForm } from './users-edit-form'
import { UsersInvitation, type Invitation } from './users-invitation'

/** Adds a person, or changes one. What was written is kept until it is saved or put aside on purpose. */
export function UsersDialog({ edited, onClose }: { edited: User | 'new' | null; onClose: () => void }) {
  const t = useTranslations('adminUsers')
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const [title, setTitle] = useState<string | null>(null)
  if (edited === null) return null
  const plain = edited === 'new' ? t('addTitle') : t('editTitle', { name: edited.name })
  const shown = invitation === null ? (title ?? plain) : t('invited', { name: invitation.name })
  return (
    <Dialog open onClose={onClose} title={shown}>
      {invitation !== null ? (
        <UsersInvitation invitation={invitation} onDone={onClose} />
      ) : edited === 'new' ? (
        <UsersAddForm onInvited={setInvitation} onClose={onClose} />
      ) : (
        <UsersEditForm user={edited} onTitle={setTitle} onInvited={setInvitation} onClose={onClose} />
      )}
    </Dialog>
  )
}
