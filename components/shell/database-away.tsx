import { DatabaseZap } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { AskAgain } from '@/components/desk/ask-again'
import { EmptyState } from '@/components/ui/empty-state'

export function DatabaseAway() {
  const t = useTranslations('trouble')
  return (
    <div role="alert" className="grid h-full place-items-center">
      <EmptyState
        icon={<DatabaseZap />}
        isScreen
        title={t('databaseAwayTitle')}
        hint={t('databaseAwayBody')}
        action={<AskAgain>{t('again')}</AskAgain>}
      />
    </div>
  )
}
