// Runs cert-manager's controllers for CA and self-signed issuers, and its admission webhook, in one process. cert-manager's own commands
// are separate modules that the Go module proxy does not have. Left out: ACME, Vault, Venafi, the shims for Ingress and Gateway, leader
// election, cainjector.
package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/cert-manager/cert-manager/internal/apis/config/shared"
	config "github.com/cert-manager/cert-manager/internal/apis/config/webhook"
	"github.com/cert-manager/cert-manager/internal/webhook"
	"github.com/cert-manager/cert-manager/pkg/controller"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/approver"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/ca"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/selfsigned"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/issuing"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/keymanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/readiness"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/requestmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/revisionmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/trigger"
	_ "github.com/cert-manager/cert-manager/pkg/controller/clusterissuers"
	_ "github.com/cert-manager/cert-manager/pkg/controller/issuers"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/ca"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/selfsigned"
	logf "github.com/cert-manager/cert-manager/pkg/logs"
)

func main() {
	// Not flag.CommandLine, in which a library of cert-manager defines kubeconfig.
	flags := flag.NewFlagSet("cert-manager", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "kubeconfig of an administrator")
	namespace := flags.String("cluster-resource-namespace", "cert-manager", "namespace of the secrets of ClusterIssuers")
	port := flags.Int("webhook-port", 10260, "port of the admission webhook")
	certificate := flags.String("webhook-certificate", "", "certificate of the admission webhook")
	key := flags.String("webhook-key", "", "private key of that certificate")
	check(flags.Parse(os.Args[1:]))

	logf.InitLogs()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	server, err := webhook.NewCertManagerWebhookServer(logf.Log, config.WebhookConfiguration{
		KubeConfig: *kubeconfig,
		SecurePort: int32(*port),
		TLSConfig:  shared.TLSConfig{Filesystem: shared.FilesystemServingConfig{CertFile: *certificate, KeyFile: *key}},
	})
	check(err)
	ended := make(chan error)
	go func() { ended <- server.Run(ctx) }()

	factory, err := controller.NewContextFactory(ctx, controller.ContextOptions{
		Kubeconfig:         *kubeconfig,
		KubernetesAPIQPS:   20,
		KubernetesAPIBurst: 50,
		IssuerOptions:      controller.IssuerOptions{ClusterResourceNamespace: *namespace},
		CertificateOptions: controller.CertificateOptions{
			CertificateRequestMinimumBackoffDuration: time.Hour,
			CertificateRequestMaximumBackoffDuration: 32 * time.Hour,
		},
	})
	check(err)
	informers, err := factory.Build()
	check(err)
	for name, construct := range controller.Known() {
		built, err := construct(factory)
		check(err)
		go func() {
			if err := built.Run(5, ctx); err != nil {
				logf.Log.Error(err, "controller ended", "controller", name)
				ended <- err
			}
		}()
	}
	informers.SharedInformerFactory.Start(ctx.Done())
	informers.KubeSharedInformerFactory.Start(ctx.Done())
	check(<-ended)
}

func check(err error) {
	if err != nil {
		logf.Log.Error(err, "cert-manager ended")
		os.Exit(1)
	}
}
