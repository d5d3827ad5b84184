import type { PublishedProof } from '@husky/match/verify-match';
import { Link } from 'react-router';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { formatNumber } from '../../lib/format.ts';
import { useVerification } from './use-verification.ts';

/** Returns what a verification has proved, in one sentence. */
export function provedSentence(hands: number): string {
  return `${formatNumber(hands)} ${hands === 1 ? 'hand' : 'hands'} re-dealt from the committed seed: all cards, actions and payouts are right.`;
}

const signatureText = {
  signed: 'The file is signed by the site.',
  unsigned: 'The file is not signed.',
  'unknown-key': 'The file is signed with a key that the site does not show.',
};

/** Re-deals all hands in the visitor's browser on a click, and says what was proved or which hand differs. */
export function VerifyMatch({ proof }: { proof: PublishedProof }) {
  const { shown, start, cancel } = useVerification(proof);
  const running = shown?.state === 'running';
  return (
    <div className="verify-match">
      <div className="verify-controls">
        <Button variant={running ? 'secondary' : 'primary'} onClick={() => (running ? cancel() : void start())}>
          {running ? 'Cancel' : 'Verify'}
        </Button>
        {running ? (
          <>
            <progress value={shown.hands} max={shown.of || 1} aria-label="Hands verified" />
            <span>
              {formatNumber(shown.hands)} of {formatNumber(shown.of)} hands
            </span>
          </>
        ) : (
          shown === undefined && <span>Loads all hands and re-deals them in this browser.</span>
        )}
      </div>
      <div role="status">
        {shown?.state === 'verified' && (
          <>
            <p className="verify-proved">{provedSentence(shown.hands)}</p>
            <p>
              {proof.record === null
                ? 'When the commitment was made is not proved: the match is older than the chain.'
                : `The commitment is record ${formatNumber(proof.record.number)} of the chain, made before the first hand.`}{' '}
              {signatureText[shown.signature.state]} Not covered: that the seed was random and unseen;{' '}
              {shown.notCovered.map(({ what }) => what).join('; ')}.{' '}
              <Link to="/fairness#who-can-gain-what">What this proves</Link>
            </p>
          </>
        )}
      </div>
      {shown?.state === 'failed' && <ErrorBox text={`Not verified. ${shown.reason}`} />}
      {shown?.state === 'unavailable' && <ErrorBox text={`The match could not be verified now. ${shown.reason}`} />}
    </div>
  );
}
