/** `GET /api/account/refused-tries`: tries to sign in as this person that were refused between their last two sign-ins. */
export type RefusedTries = {
  count: number
  /** Of the last one; null when there was none. */
  lastAt: string | null
  /** The sign-in before the last; null when there was none, or it is no longer in the log. */
  since: string | null
}
