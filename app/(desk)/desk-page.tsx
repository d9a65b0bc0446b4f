import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { ClientMessages, type MessageAreas } from '@/components/app/client-messages'
import { DatabaseAwayScreen, NoAccessScreen } from '@/components/shell/trouble-screens'
import type { Permission } from '@/lib/contract/endpoint'
import type { Session } from '@/server/access/session-cookie'
import { type Allowed, may, type Viewer } from '@/server/access/viewer'
import { isOutage } from '@/server/base/database-outage'
import { NotFoundError, NotReadyError } from '@/server/base/errors'
import { getServices } from '@/server/base/services'
import { requirePageSession } from '@/server/http/page-session'

export type PageProps = {
  params: Promise<Record<string, string>>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

type ScreenProps<V> = PageProps & { viewer: V; session: Session }

type ScreenOptions<V> = {
  title: (t: Awaited<ReturnType<typeof getTranslations<never>>>, params: Record<string, string>) => string
  messageAreas?: MessageAreas
  /** Renders the screen with its first data. A thrown `NotFoundError` becomes Next's not-found page. */
  screen: (props: ScreenProps<V>) => ReactNode | Promise<ReactNode>
  /** Replaces the screen while it throws `NotReadyError`, because the service's lists have not been read yet. */
  notReady?: ReactNode
}

type DeskPageOptions<P extends Permission> = ScreenOptions<Allowed<P>> & { permission: P; path: string }

/** Creates a page that needs a permission. `path` is its pattern, for the log. */
export function createDeskPage<P extends Permission>(options: DeskPageOptions<P>) {
  const { permission, path } = options
  return {
    generateMetadata: createMetadata(options),
    Page: async (props: PageProps) => {
      const { viewer, session } = await requirePageSession(getServices())
      if (may(viewer, permission)) return renderScreen(options, { ...props, viewer, session })
      if (viewer.suspendedPermissions.has(permission)) return <DatabaseAwayScreen />
      getServices().logRefusal(viewer.id, 'GET', path)
      return <NoAccessScreen role={viewer.role} />
    },
  }
}

export function createSignedInPage(options: ScreenOptions<Viewer>) {
  return {
    generateMetadata: createMetadata(options),
    Page: async (props: PageProps) => renderScreen(options, { ...props, ...(await requirePageSession(getServices())) }),
  }
}

export function createMetadata({ title }: Pick<ScreenOptions<never>, 'title'>) {
  return async ({ params }: Pick<PageProps, 'params'>): Promise<Metadata> => ({
    title: title(await getTranslations(), await params),
  })
}

async function renderScreen<V>({ messageAreas, screen, notReady }: ScreenOptions<V>, props: ScreenProps<V>) {
  try {
    const content = await screen(props)
    return messageAreas === undefined ? content : <ClientMessages areas={messageAreas}>{content}</ClientMessages>
  } catch (error) {
    // A parameter with broken encoding (`URIError`) names nothing that could be found.
    if (error instanceof NotFoundError || error instanceof URIError) notFound()
    if (error instanceof NotReadyError && notReady !== undefined) return notReady
    if (!isOutage(error)) throw error
    getServices().logger.warn({ err: error }, 'a page cannot be read')
    return <DatabaseAwayScreen />
  }
}
