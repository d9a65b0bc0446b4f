import type { Metadata } from 'next'
import { useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { BrandMark } from '@/components/ui/brand'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('trouble')
  return { title: t('notFoundTitle') }
}

export default function NotFound() {
  const t = useTranslations()
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={<BrandMark />}
        isScreen
        title={t('trouble.notFoundTitle')}
        hint={t('trouble.notFoundBody')}
        action={
          <a href="/" className={buttonClass({ variant: 'primary' })}>
            {t('errors.toStart')}
          </a>
        }
      />
    </main>
  )
}
