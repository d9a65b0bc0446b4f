'use client'

import { useTranslations } from 'next-intl'
import { Notice } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/page-header'
import type { SessionsAnswer } from '@/lib/contract/account'
import type { SecondFactorsAnswer } from '@/lib/contract/second-factor'
import type { Role } from '@/lib/contract/user'
import { DigestSection } from './digest-section'
import { LeaveSection } from './leave-section'
import { PasswordSection } from './password-section'
import { SecondFactorsSection } from './second-factors-section'
import { SessionsSection } from './sessions-section'

type AccountScreenProps = {
  person: { name: string; email: string; role: Role }
  /** What the server knew when it made the page. */
  sessions: SessionsAnswer
  /** Null for whoever has no password of their own here, and why. */
  factors: SecondFactorsAnswer | null
  /** Null for whoever can get none: no mail is sent, or they read no leads. */
  digest: { isOn: boolean } | null
  isDemo: boolean
}

/** What somebody can see and do about their own account. */
export function AccountScreen({
  person: { name, email, role },
  sessions,
  factors,
  digest,
  isDemo,
}: AccountScreenProps) {
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
