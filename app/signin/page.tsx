import { getTranslations } from 'next-intl/server'
import { redirect } from 'next/navigation'
import { createMetadata, type PageProps } from '@/app/(desk)/desk-page'
import { ClientMessages } from '@/components/app/client-messages'
import { SignInLayout } from '@/components/account/sign-in-layout'
import { SignInForm } from '@/components/account/sign-in-form'
import { Notice } from '@/components/ui/notice'
import { SIGN_ON_CAUSES } from '@/lib/contract/feed-status'
import { needsFirstUser } from '@/server/access/first-users'
import { toCallbackPath } from '@/server/http/auth-actions'
import { findPageViewer } from '@/server/http/page-viewer'
import { toCommandLine, env } from '@/server/base/env'
import { getServices } from '@/server/base/services'

/** https://next-auth.js.org/configuration/pages#error-codes */
const NEXT_AUTH_ERRORS = new Map<unknown, 'wrong' | 'unavailable'>([
  ['CredentialsSignin', 'wrong'],
  ['Configuration', 'unavailable'],
  ['Unavailable', 'unavailable'],
])

export const generateMetadata = createMetadata({ title: (t) => t('signin.title') })

export default async function SignInPage({ searchParams }: PageProps) {
  const { callbackUrl, error, signedOut } = await searchParams
  // Next-auth puts whole addresses here; `callbackPath` takes paths.
  const wanted = typeof callbackUrl === 'string' ? callbackUrl : null
  const address = wanted !== null && URL.canParse(wanted) ? new URL(wanted) : null
  const path = toCallbackPath(address === null ? wanted : address.pathname + address.search)
  if (await findPageViewer(getServices())) redirect(path)
  const t = await getTranslations('signin')
  const { mode, oidc, hasPasswordSignIn: passwordSignIn } = env()
  const signOn = SIGN_ON_CAUSES.find((cause) => error === `SignOn-${cause}`)
  const named = signOn ? (`signOn.${signOn}` as const) : (NEXT_AUTH_ERRORS.get(error) ?? 'provider')
  const wrong = error === undefined ? null : named
  // Whether there are users is not known while the database is away.
  const isEmpty = await needsFirstUser(getServices()).catch(() => false)
  return (
    <ClientMessages areas={['signin', 'shell', 'trouble']}>
      <SignInLayout title={t('title')} intro={t('lead')}>
        <SignInForm
          callbackUrl={path}
          error={wrong && t(`error.${wrong}`)}
          notice={signedOut === undefined ? null : t('signedOut')}
          provider={oidc && { name: oidc.name }}
          mustChooseAccount={signedOut !== undefined || wrong?.startsWith('signOn') === true}
          isPasswordForEmergencies={!passwordSignIn}
          isDemo={mode === 'demo'}
        />
        {isEmpty && (
          <Notice role="status">
            <strong className="block font-semibold">{t('nobodyYet.title')}</strong>
            {t('nobodyYet.body', { command: toCommandLine('admin') })}
          </Notice>
        )}
      </SignInLayout>
    </ClientMessages>
  )
}
