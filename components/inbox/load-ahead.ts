import { loadTriage } from '@/components/triage/use-triage'

/** Fetches what opens on a press before the press: a person's first movement or key is the sign that one will come. */
export function loadAhead(): void {
  const parts = [
    loadTriage,
    () => import('./bulk-bar'),
    () => import('./list-failure'),
    () => import('./marked-text'),
    () => import('./filter-choices'),
    () => import('./inbox-dialogs'),
    () => import('@/components/triage/assign-dialog'),
  ]
  // Whatever cannot be fetched now is fetched when it is wanted.
  for (const load of parts) load().catch(() => {})
}
