import { getTranslations } from 'next-intl/server'
import { redirect } from 'next/navigation'
import { createMetadata, type PageProps } from '@/app/(desk)/desk-page'
import { SignInForm } from '@/components/account/sign-in-form'
import { SignInLayout } from '@/components/account/sign-in-layout'
import { ClientMessages } from '@/components/app/client-messages'
import { Notice } from '@/components/ui/notice'
import { SIGN_ON_CAUSES } from '@/lib/contract/service-report'
import { needsFirstUser } from '@/server/access/first-users'
import { env, toCommandLine } from '@/server/base/env'
import { getServices } from '@/server/base/services'
import { toCallbackPath } from '@/server/http/auth-actions'
import { findPageViewer } from '@/server/http/page-viewer'

/** https://next-auth.js.org/configuration/pages#error-codes */
const NEXT_AUTH_ERRORS = new Map<unknown, 'wrong' | 'unavailable'>([
  ['CredentialsSignin', 'wrong'],
  ['Configuration', 'unavailable'],
  ['Unavailable', 'unavailable'],
])

export const generateMetadata = createMetadata({ title: (t) => t('signin.title') })

export default async function SignInPage({ searchParams }: PageProps) {
  const { callbackUrl, error, signedOut } = await searchParams
  // next-auth sends absolute URLs here, and `toCallbackPath` takes paths.
  const callbackText = typeof callbackUrl === 'string' ? callbackUrl : null
  const url = callbackText !== null && URL.canParse(callbackText) ? new URL(callbackText) : null
  const path = toCallbackPath(url === null ? callbackText : url.pathname + url.search)
  if (await findPageViewer(getServices())) redirect(path)
  const t = await getTranslations('signin')
  const { mode, oidc, hasPasswordSignIn } = env()
  const signOnCause = SIGN_ON_CAUSES.find((cause) => error === `SignOn-${cause}`)
  const errorKey = signOnCause ? (`signOn.${signOnCause}` as const) : (NEXT_AUTH_ERRORS.get(error) ?? 'provider')
  const shownError = error === undefined ? null : errorKey
  // While the database is unreachable it is unknown whether there are users.
  const isWithoutUsers = await needsFirstUser(getServices()).catch(() => false)
  return (
    <ClientMessages areas={['signin', 'shell', 'trouble']}>
      <SignInLayout title={t('title')} intro={t('lead')}>
        <SignInForm
          callbackUrl={path}
          error={shownError && t(`error.${shownError}`)}
          notice={signedOut === undefined ? null : t('signedOut')}
          provider={oidc && { name: oidc.name }}
          mustChooseAccount={signedOut !== undefined || shownError?.startsWith('signOn') === true}
          isPasswordForEmergencies={!hasPasswordSignIn}
          isDemo={mode === 'demo'}
        />
        {isWithoutUsers && (
          <Notice role="status">
            <strong className="block font-semibold">{t('nobodyYet.title')}</strong>
            {t('nobodyYet.body', { command: toCommandLine('admin') })}
          </Notice>
        )}
      </SignInLayout>
    </ClientMessages>
  )
}
