'use client'

import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useSave } from '@/components/desk/save'
import { NewPasswordFields, useNewPassword } from '@/components/signin/new-password-fields'
import { PasswordField, refusalOf } from '@/components/signin/password-field'
import { Button } from '@/components/ui/button'
import { Notice, ProblemText } from '@/components/ui/notice'
import { PageHeader, TitledSection } from '@/components/ui/headings'
import { api } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import type { SecondFactorsAnswer, SessionsAnswer } from '@/lib/contract/account'
import type { PasswordChange, Role } from '@/lib/contract/user'
import { SecondFactorsSection } from './second-factors-section'
import { SessionsSection } from './sessions-section'

type AccountScreenProps = {
  user: { name: string; email: string; role: Role }
  sessions: SessionsAnswer
  /** Null for a user without a password here. */
  factors: SecondFactorsAnswer | null
  isDemo: boolean
}

export function AccountScreen({ user, sessions, factors, isDemo }: AccountScreenProps) {
  const { name, email, role } = user
  const t = useTranslations('account')
  const common = useTranslations('common')
  const [isChanging, setChanging] = useState(false)
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={[...new Set([name, email, common(`role.${role}`)])].join(' · ')} />
      <div className="flex max-w-3xl flex-col gap-8 pt-1">
        {factors ? (
          <>
            <TitledSection id="password" title={t('password.title')} hint={t('password.body')}>
              {isChanging ? (
                <PasswordForm email={email} onDone={() => setChanging(false)} />
              ) : (
                <Button text={t('password.change')} onClick={() => setChanging(true)} />
              )}
            </TitledSection>
            <SecondFactorsSection initial={factors} />
          </>
        ) : (
          <Notice tone="plain">{t(isDemo ? 'demo' : 'elsewhere')}</Notice>
        )}
        <SessionsSection role={role} initial={sessions} />
      </div>
    </div>
  )
}

function PasswordForm({ email, onDone }: { email: string; onDone: () => void }) {
  const t = useTranslations('account.password')
  const common = useTranslations('common')
  const { fields, read, refused } = useNewPassword()
  const { save, busy, error } = useSave({
    send: (body: PasswordChange) => api('POST /api/account/password', { body }),
    done: t('changed'),
    failed: () => null,
    refresh: 'GET /api/account/sessions',
    onSaved: onDone,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const password = read(form)
    if (password !== null) save({ current: String(form.get('current')), password }, { onError: refused })
  }
  // What is wrong with the new password is said at its field.
  const fault = error === null || hasStatus(error, 400) ? null : refusalOf(error)
  return (
    <form
      method="post"
      onSubmit={submit}
      className="flex max-w-md flex-col gap-4 rounded-lg border border-line bg-panel p-4 shadow-card"
    >
      {/* For password managers: whose password it is. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={t('current')}
        error={fault === 'wrong' ? t('wrong') : undefined}
        name="current"
        autoComplete="current-password"
        autoFocus
      />
      <NewPasswordFields {...fields} />
      <ProblemText text={fault === null || fault === 'wrong' ? null : t(fault)} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button text={common('cancel')} onClick={onDone} />
        <Button text={t('change')} type="submit" variant="primary" busy={busy} />
      </div>
    </form>
  )
}
