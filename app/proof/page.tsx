import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { redirect } from 'next/navigation'
import { ClientMessages } from '@/components/desk/client-messages'
import { Entrance } from '@/components/signin/entrance'
import { ProofDone } from '@/components/signin/proof-done'
import { currentViewer } from '@/server/http/page-viewer'
import { services } from '@/server/base/services'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const [t, { error }] = await Promise.all([getTranslations('proof'), searchParams])
  return { title: t(error === undefined ? 'done' : 'notDone') }
}

export default async function ProofPage({ searchParams }: Props) {
  if (!(await currentViewer(services()))) redirect('/signin')
  const [t, { error }] = await Promise.all([getTranslations('proof'), searchParams])
  return (
    <ClientMessages areas={['signin', 'shell']}>
      {error === undefined ? (
        <Entrance title={t('done')} lead={t('doneLead')}>
          <ProofDone />
        </Entrance>
      ) : (
        <Entrance title={t('notDone')} lead={t('notDoneLead')}>
          {null}
        </Entrance>
      )}
    </ClientMessages>
  )
}
