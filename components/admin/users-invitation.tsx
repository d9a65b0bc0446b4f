'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { toast } from '@/components/ui/toast'

export type Invitation = { name: string; url: string }

/** The link is known only now: the server keeps no more than its hash. */
export function UsersInvitation({ invitation, onDone }: { invitation: Invitation; onDone: () => void }) {
  const t = useTranslations('adminUsers')
  const lead = useTranslations('lead')
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(invitation.url).then(
      () => setCopied(true),
      () => toast(lead('copyFailed'), { tone: 'error' }),
    )
  return (
    <div className="flex flex-col gap-5 px-5 pt-1 pb-5">
      <Field label={t('inviteLink')} hint={t('inviteHint')}>
        {(attributes) => (
          <Input {...attributes} readOnly value={invitation.url} onFocus={(event) => event.target.select()} />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{t('done')}</Button>
        <Button variant="primary" autoFocus onClick={() => void copy()}>
          <span aria-live="polite">{copied ? lead('copied') : t('copyLink')}</span>
        </Button>
      </div>
    </div>
  )
}
