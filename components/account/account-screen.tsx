'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useSave } from '@/components/desk/save'
import { Notice } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/page-header'
import { api } from '@/lib/api/call'
import type { SecondFactorsAnswer, SessionsAnswer } from '@/lib/contract/account'
import type { Role } from '@/lib/contract/user'
import { AccountSection } from './account-section'
import { LeaveSection } from './leave-section'
import { PasswordSection } from './password-section'
import { SecondFactorsSection } from './second-factors-section'
import { SessionsSection } from './sessions-section'

type AccountScreenProps = {
  person: { name: string; email: string; role: Role }
  sessions: SessionsAnswer
  /** Null for whoever has no password of their own here, and why. */
  factors: SecondFactorsAnswer | null
  /** Null for whoever can get none: no mail is sent, or they read no leads. */
  digest: { isOn: boolean } | null
  isDemo: boolean
}

export function AccountScreen({ person, sessions, factors, digest, isDemo }: AccountScreenProps) {
  const { name, email, role } = person
  const t = useTranslations('account')
  const common = useTranslations('common')
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={[...new Set([name, email, common(`role.${role}`)])].join(' · ')} />
      <div className="flex max-w-3xl flex-col gap-8 pt-1">
        {factors ? (
          <>
            <PasswordSection email={email} />
            <SecondFactorsSection first={factors} />
          </>
        ) : (
          <Notice tone="plain">{t(isDemo ? 'demo' : 'elsewhere')}</Notice>
        )}
        {digest && <DigestSection email={email} isOn={digest.isOn} />}
        {role !== 'manager' && <LeaveSection />}
        <SessionsSection role={role} first={sessions} />
      </div>
    </div>
  )
}

type DigestSectionProps = { email: string; isOn: boolean }

function DigestSection({ email, isOn: first }: DigestSectionProps) {
  const t = useTranslations('mail.account')
  const language = useLocale()
  const [isOn, setOn] = useState(first)
  const { save, busy, error } = useSave({
    send: (on: boolean) =>
      api('PUT /api/preferences/[name]', { params: { name: 'digest' }, body: { value: { on, language } } }),
    done: (_, on) => t(on ? 'on' : 'off', { address: email }),
    failed: t('failed'),
    onSend: setOn,
  })
  return (
    <AccountSection id="digest" title={t('title')} hint={t('hint')}>
      <label className="flex min-h-9 items-center gap-2 text-sm touch:min-h-11">
        <input
          type="checkbox"
          checked={error === null ? isOn : !isOn}
          disabled={busy}
          onChange={(event) => save(event.target.checked)}
          className="size-4 accent-accent"
        />
        {t('label')}
      </label>
    </AccountSection>
  )
}
