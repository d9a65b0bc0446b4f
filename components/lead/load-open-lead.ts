/** The part of the app that shows a lead, in files of its own. */
export const loadOpenLead = () => import('./open-lead')

/** Before it is wanted; opening tries again, and tells what is wrong. */
export function loadOpenLeadAhead(): void {
  loadOpenLead().catch(() => {})
}
