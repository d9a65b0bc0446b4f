'use client'

import { useTranslations } from 'next-intl'
import { PageHeader } from '@/components/ui/page-header'
import type { SessionsAnswer } from '@/lib/contract/account'
import type { Role } from '@/lib/contract/user'
import { SessionsSection } from './sessions-section'

type AccountScreenProps = {
  person: { name: string; email: string; role: Role }
  /** What the server knew when it made the page. */
  sessions: SessionsAnswer
}

/** What somebody can see and do about their own account. */
export function AccountScreen({ person: { name, email, role }, sessions }: AccountScreenProps) {
  const t = useTranslations('account')
  const common = useTranslations('common')
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={[name, email, common(`role.${role}`)].join(' · ')} />
      <SessionsSection role={role} first={sessions} />
    </div>
  )
}
